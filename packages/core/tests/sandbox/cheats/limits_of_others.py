# outcome: unsolved
"""Lowers the limits and the priority of its parent, raises its own."""
import os
import resource

for attempt in (
    lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)),
    lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
    lambda: os.sched_setaffinity(os.getppid(), {0}),
    lambda: os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0)),
    lambda: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)),
    lambda: resource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6)),
):
    try:
        attempt()
        print("FOUND worked")
    except (OSError, ValueError):
        pass
