# outcome: unsolved
"""Returns twenty thousand objects, each of a kind of its own."""
import gc

for thing in gc.get_objects():
    if type(thing).__name__ == "Worker" and hasattr(thing, "channel"):
        send = thing.channel.send

        def forged(tree, buffers=(), send=send):
            if tree[1:2] == ["value"]:
                tree, buffers = [tree[0], "value", [1, *[[41, n + 10, ["m", "n"], [f"__{n}__"]] for n in range(20_000)]], [], None], []
            send(tree, buffers)

        thing.channel.send = forged
