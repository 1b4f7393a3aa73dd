# outcome: unsolved
"""Writes where the walls themselves have made folders, in memory that nobody counts."""
import os
import sys
import tempfile

here = os.getcwd()
places = {"/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/dev/mqueue", "/run", "/run/user/0", "/proc", "/sys", "/root", "/home", "/mnt", "@HOME@", *sys.path, os.path.dirname(here), os.path.dirname(os.path.dirname(here)), os.path.dirname(sys.executable)}
for place in places - {here, ""}:
    for make in (
        lambda: open(os.path.join(place, "left"), "wb").write(b"\0" * (1 << 20)),
        lambda: os.mkdir(os.path.join(place, "left_folder")),
        lambda: os.symlink("/", os.path.join(place, "left_link")),
        lambda: os.rename(os.path.join(here, "stable_softmax.py"), os.path.join(place, "left_file")),
        lambda: tempfile.TemporaryFile(dir=place).write(b"x"),
    ):
        try:
            make()
            print("FOUND", place)
        except OSError:
            pass
