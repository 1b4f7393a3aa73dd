# outcome: submission_error
"""Sends times and extension types of the wire's own format, which decode into objects."""
import datetime
import gc

for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "channel"):
        send = thing.channel.send
        ext = send.__func__.__globals__["msgspec"].msgpack.Ext

        def forged(tree, buffers=(), send=send, ext=ext):
            if tree[1:2] == ["value"]:
                value = ext(5, b"x") if tree[0] % 2 else datetime.datetime.now(datetime.timezone.utc)
                tree, buffers = [tree[0], "value", [1, value], [], None], []
            send(tree, buffers)

        thing.channel.send = forged
