# outcome: submission_error
"""Claims to have changed an argument that there is not, to write where it may not."""
import gc

for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "channel"):
        send = thing.channel.send

        def forged(tree, buffers=(), send=send):
            if tree[1:2] == ["value"]:
                tree = [*tree[:3], [[99, 0]], None]
            send(tree, buffers)

        thing.channel.send = forged
