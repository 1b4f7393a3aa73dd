"""MLflow: a projection of run folders, made once and rebuilt by `bench sync`.

The run folder is the truth; MLflow is a view of it. `store` knows where, `projection` says what a run folder and
`board` what the leaderboard has to show, `writing` puts it there, `views` makes the first click useful, `background` keeps a slow or absent server from
holding up a run, `server` is `bench ui`. mlflow is imported in this package only, and late.
"""

from benchwright.tracking.background import Projected, project
from benchwright.tracking.store import Store, find_store

__all__ = ["Projected", "Store", "find_store", "project"]
