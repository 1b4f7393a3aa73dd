"""The driver shares its process with the submission: what comes back is looked at, whoever sent it."""

import numpy as np
import pytest
from benchwright import Limits
from handnet_bench import worker
from handnet_bench.rules import source
from handnet_corpus.parts import DIGITS

FORGE = """
import gc
for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "channel"):
        send = thing.channel.send
        def forged(tree, buffers=(), send=send, encode=thing.encoder):
            if tree[1:2] == ["value"]:
                whole = dict(task="mnist", problem="", weights={}, after={}, outputs=[[1]], held={}, changed=[], seconds=1.0)
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
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_forged_answer_of_the_driver_is_the_submissions_failure(name, sandbox):
    text = FORGE.replace("CHANGED", f"dict({CHANGED[name]})") + DIGITS
    read = source.read(DIGITS.encode())
    with pytest.raises(worker.Broke, match="gave back"):
        worker.run(sandbox, read, [np.zeros((1, 28, 28))], limits=Limits(), text=text)
