# outcome: resource_limit
"""Raises groups, Unicode errors and other exceptions that want arguments of their own."""
KINDS = [lambda: ExceptionGroup("a", [ValueError()]), lambda: BaseExceptionGroup("b", [SystemExit(0)]), lambda: UnicodeDecodeError("x", b"", 0, 1, "y"), lambda: GeneratorExit(), lambda: StopAsyncIteration(), lambda: OSError(28, "no space", "@HOME@"), lambda: ImportError("x", name="benchwright", path="/")]
n = 0


def softmax(x, axis=-1):
    global n
    n += 1
    raise KINDS[n % len(KINDS)]()


log_softmax = logsumexp = softmax
