# outcome: unsolved
"""Leaves links, holes and names that nobody can write down in its folder."""
import os

for make in (
    lambda: open(b"\xff\xfe name\n\x1b[31m", "w").close(),
    lambda: os.symlink("/", "root"),
    lambda: os.symlink("@HOME@", "home"),
    lambda: os.symlink("loop", "loop"),
    lambda: os.mkfifo("waits"),
    lambda: os.mkdir("closed", 0),
    lambda: os.open("closed_file", os.O_CREAT | os.O_WRONLY, 0),
    lambda: os.truncate("hole", 0),
    lambda: os.mkdir("x" * 255),
    lambda: os.rename(".", "../moved"),
    lambda: os.rename("../" + os.path.basename(os.getcwd()), "../moved"),
    lambda: os.link(os.__file__, "linked"),
):
    try:
        make()
    except OSError:
        pass
