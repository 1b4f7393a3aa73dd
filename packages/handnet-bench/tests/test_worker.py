"""The driver shares its process with the submission: what comes back is looked at, whoever sent it."""

import msgspec
import numpy as np
import pytest
from benchwright import Limits
from handnet_bench import worker
from handnet_bench.rules import source
from handnet_corpus.parts import DIGITS

FORGE = """
import gc
import numpy
for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "channel"):
        send = thing.channel.send
        def forged(tree, buffers=(), send=send, encode=thing.encoder):
            if tree[1:2] == ["value"]:
                whole = dict(task="mnist", problem="", weights={}, after={}, outputs=[[1]], held={}, changed=[], seconds=1.0,
                             noted=numpy.zeros((0, 24, 1)), lines=[])
                whole.update(CHANGED)
                encoder = encode()
                tree, buffers = [tree[0], "value", encoder.tree(whole), [], None], encoder.buffers
            send(tree, buffers)
        thing.channel.send = forged
"""
CHANGED = {
    "a problem too long to write": "problem=10**5000",
    "a problem that is no text": "problem=object()",
    "weights that are no dict": "weights=5",
    "weights that are a range": "weights={'a': range(10**6)}",
    "weights that are an object": "weights={'a': object()}",
    "weights in a list that are an object": "weights={'a': [1.0, [object()]]}",
    "weights without names": "after={3: 1.0}",
    "outputs that are an object": "outputs=object()",
    "no outputs": "outputs=[]",
    "held numbers that are words": "held={'a': dict(floats=['x'], integers=0, enumeration=True, scalar=False)}",
    "held things of another shape": "held={'a': 1}",
    "changed names that are numbers": "changed=[1]",
    "no time": "seconds=float('nan')",
    "a time that is a text": "seconds='long'",
    "another part": "more=1",
    "notes that are no array": "noted=5",
    "notes of sites that have no line": "noted=numpy.zeros((1, 24, 1))",
    "notes of calls that were not made": "noted=numpy.zeros((0, 24, 2))",
    "notes of another type": "noted=numpy.zeros((0, 24, 1), dtype='float32')",
    "lines that are no numbers": "lines=['1']",
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_forged_answer_of_the_driver_is_the_submissions_failure(name, sandbox):
    text = FORGE.replace("CHANGED", f"dict({CHANGED[name]})") + DIGITS
    read = source.read(DIGITS.encode())
    with pytest.raises(worker.Broke, match="gave back"):
        worker.run(sandbox, read, [np.zeros((1, 28, 28))], limits=Limits(), text=text)


RUN_AWAY = {
    "time": ("while True:\n    pass\n", "timeout", "ran past its time limit (the limit is 3 s)"),
    "CPU time": ("while True:\n    pass\n", "timeout", "ran past its limit of CPU time (the limit is 2 s)"),
    "memory, in numpy": (
        "import numpy as np\nnp.ones((20000, 20000))\n",
        "submission_error",
        "data type float64 (the limit is 300 MiB of memory)",
    ),
    "memory": ("x = 'a' * 10**10\n", "submission_error", "MemoryError (the limit is 300 MiB of memory)"),
    "output": (
        "print('x' * 10**7)\n",
        "submission_error",
        "File too large (the limit is 4 MiB, for what it prints as for a file)",
    ),
    "open files": (
        "kept = [open('/dev/null') for _ in range(100)]\n",
        "submission_error",
        "'/dev/null' (the limit is 64 open files)",
    ),
    "no limit": ("1 / 0\n", "submission_error", "The submission failed: division by zero"),
}


@pytest.mark.parametrize("name", RUN_AWAY)
def test_who_runs_past_a_limit_is_told_the_limit(name, sandbox):
    before, outcome, words = RUN_AWAY[name]
    read = source.read(DIGITS.encode())
    given = Limits(seconds=20.0, cpu_seconds=2.0, memory_mb=300, file_mb=4)
    limits = msgspec.structs.replace(given, seconds=3.0, cpu_seconds=20.0) if name == "time" else given
    with pytest.raises(worker.Broke) as broke:
        worker.run(sandbox, read, [np.zeros((1, 28, 28))], limits=limits, text=before + DIGITS)
    assert (broke.value.outcome, str(broke.value).endswith(words)) == (outcome, True), broke.value
