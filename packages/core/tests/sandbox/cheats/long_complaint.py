# outcome: submission_error
"""Breaks the protocol with fifteen megabytes of terminal codes, which the reason of the verdict repeats."""
import gc

for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "channel"):
        send = thing.channel.send

        def forged(tree, buffers=(), send=send):
            if tree[1:2] == ["value"]:
                tree, buffers = [tree[0], "\x1b]0;title\x07" * (1 << 20), None, [], None], []
            send(tree, buffers)

        thing.channel.send = forged
