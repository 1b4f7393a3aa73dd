"""The smallest benchmark: n + n."""

from benchwright import Evaluation, Param, Task, TaskSpec, hookimpl

API = 1


@hookimpl
def list_params():
    return [Param("num_tasks", 10, "How many sums there are.", minimum=1, maximum=100_000)]


@hookimpl
def list_tasks(ctx):
    return [
        TaskSpec(id=f"sums/n{n}", title=f"{n} + {n}", suite="sums", default=ctx.params["num_tasks"] == 10)
        for n in range(ctx.params["num_tasks"])
    ]


@hookimpl
def load_task(ctx):
    n = int(ctx.id.removeprefix("sums/n"))
    return Task.single(
        ctx.id,
        version="1",
        prompt=f'Reply with JSON: {{"sum": the sum of {n} and {n}}}',
        private={"sum": 2 * n, "reference": {"sum": 2 * n}},
    )


@hookimpl
def evaluate(ctx):
    return Evaluation.solved_if(ctx.submission.answer == {"sum": ctx.task.private["sum"]})
