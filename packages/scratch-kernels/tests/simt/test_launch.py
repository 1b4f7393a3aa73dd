"""What the host gets wrong is told in a sentence."""

from __future__ import annotations

import numpy as np
import pytest
from scratch_kernels import simt

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
SCALE = HEAD + (
    "kernel void scale(device float* out [[buffer(0)]], const device float* x [[buffer(2)]], constant uint& n [[buffer(1)]],\n"
    "                  uint i [[thread_position_in_grid]]) { if (i < n) out[i] = 2 * x[i]; }"
)
X = np.arange(8, dtype=np.float32)


def scale(buffers, grid=1, group=8, **options):
    return simt.metal(SCALE).launch("scale", grid, group, buffers, **options)


@pytest.mark.parametrize(
    "buffers",
    [
        pytest.param([simt.out(8), 8, X], id="in the order of their indices"),
        pytest.param({"out": simt.out(8), "x": X, "n": 8}, id="by name"),
        pytest.param({0: simt.out(8), 2: X, 1: np.uint32(8)}, id="by index"),
    ],
)
def test_buffers_are_given_in_three_ways(buffers):
    assert np.array_equal(scale(buffers)["out"], 2 * X)


@pytest.mark.parametrize(
    ("buffers", "grid", "group", "message"),
    [
        pytest.param([simt.out(8), 8], 1, 8, "takes 3 buffers (out, n, x); 2 were given", id="too few"),
        pytest.param(
            {"out": simt.out(8), "n": 8},
            1,
            8,
            "no buffer for `x` (const device float *x, index 2) of scale; at the command line --buffer x=KIND:TYPE:SIZE",
            id="one is missing",
        ),
        pytest.param(
            {"out": simt.out(8), "x": X, "n": 8, "y": X}, 1, 8, "no parameter 'y'; it has out, x, n", id="one too many"
        ),
        pytest.param([simt.out(8), 8.5, X], 1, 8, "8.5 is no whole number", id="a fraction for an integer"),
        pytest.param([simt.out(8), -1, X], 1, 8, "-1 does not fit", id="a negative number for an unsigned one"),
        pytest.param([simt.out(8), 8, X.astype("f8")], 1, 8, "an array of float64 was given", id="doubles for floats"),
        pytest.param([simt.out(8, "int32"), 8, X], 1, 8, "an array of int32 was given", id="integers for floats"),
        pytest.param([simt.out(8), np.int64(8), X], 1, 8, "a int64 was given", id="a wide scalar"),
        pytest.param([simt.out(8), 8, np.array([{}])], 1, 8, "Python objects", id="objects"),
        pytest.param([simt.out(8), 8, X], 1, 2048, "1,024 are the most", id="a group too large"),
        pytest.param([simt.out(8), 8, X], 0, 8, "at least 1", id="no group"),
        pytest.param([simt.out(8), 8, X], (1, 1, 1, 1), 8, "one to three", id="four dimensions"),
        pytest.param([simt.out(8), 8, X], "x", 8, "the grid is 'x'; it is one to three whole numbers", id="a word"),
        pytest.param([simt.out(8), 8, X], 1, "32", "'32'; it is one to three whole numbers", id="digits for a group"),
        pytest.param([simt.out(8), 8, X], 1.5, 8, "the grid is 1.5; it is one to three", id="a fraction of a group"),
        pytest.param([simt.out(8), 8, X.astype(">f4")], 1, 8, "`x`: an array of >f4 has", id="the other byte order"),
        pytest.param([simt.out(8, ">f4"), 8, X], 1, 8, "`out`: an array of >f4 has", id="such an output"),
        pytest.param([simt.out(8), 8, X], 1, (8, None), "it is one to three whole numbers", id="nothing for a size"),
        pytest.param({"out": simt.out(8), "x": X}, 1, 8, "at the command line --value n=NUMBER", id="no number"),
    ],
)
def test_a_wrong_launch_is_told_in_a_sentence(buffers, grid, group, message):
    with pytest.raises(simt.SimtError) as told:
        scale(buffers, grid, group)
    assert message in str(told.value)


def test_a_kernel_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(simt.SimtError, match="no kernel `scael` in this source; it has scale"):
        simt.metal(SCALE).launch("scael", 1, 1, [])


@pytest.mark.parametrize(
    ("source", "line"),
    [
        pytest.param("kernel void k(device float* out {", 0, id="unbalanced"),
        pytest.param(HEAD + "kernel void k(device float* out) {\n  out[0] = ; }", 4, id="does not parse"),
        pytest.param("", 0, id="empty"),
        pytest.param("x" * (10 << 20), 0, id="ten megabytes"),
        pytest.param("kernel void k() { \0 }", 0, id="zero byte"),
    ],
)
def test_what_is_no_kernel_is_refused_in_a_sentence(source, line):
    with pytest.raises(simt.SimtError) as told:
        simt.metal(source).build("k")
    assert "\n" not in str(told.value)
    if line:
        assert told.value.line == line


def test_something_that_is_no_text_is_refused():
    with pytest.raises(simt.CompileError, match="not text"):
        simt.metal(None)


def test_partial_groups_have_no_phantom_threads():
    source = HEAD + (
        "kernel void k(device atomic_uint* n, device uint* size, uint g [[threadgroup_position_in_grid]],\n"
        "  uint s [[threads_per_threadgroup]]) { atomic_fetch_add_explicit(n, 1u, memory_order_relaxed); size[g] = s; }"
    )
    result = simt.metal(source).launch("k", 1, 32, [np.zeros(1, np.uint32), simt.out(4, "uint32")], threads=100)
    assert result["n"][0] == 100
    assert result["size"].tolist() == [32, 32, 32, 4]


def test_an_unchanged_source_is_not_compiled_twice(tmp_path):
    from scratch_kernels.simt import cache

    source = SCALE + f"// {tmp_path.name}\n"
    first = simt.metal(source).build("scale")
    stamp = first.path.stat().st_mtime_ns
    again = simt.metal(source).build("scale")
    assert again.path == first.path
    assert again.path.stat().st_mtime_ns == stamp
    assert cache.folder() in first.path.parents


def test_function_constants_are_given_at_the_build():
    source = HEAD + (
        "constant bool twice [[function_constant(4)]];\nconstant int add [[function_constant(5)]];\n"
        "kernel void k(device int* out) { out[0] = (twice ? 2 : 1) + (is_function_constant_defined(add) ? add : 0); }"
    )
    library = simt.metal(source)
    assert library.function_constants == {"twice": 4, "add": 5}
    got = [
        library.launch("k", 1, 1, [simt.out(1, "int32")], constants=c)["out"][0]
        for c in ({4: False}, {"twice": True}, {"twice": False, 5: 7})
    ]
    assert got == [1, 2, 8]


def test_a_function_constant_that_a_kernel_reaches_and_nobody_gives_is_asked_for():
    source = HEAD + (
        "constant float K [[function_constant(0)]];\nconstant float L [[function_constant(1)]];\n"
        "static float twice(float x) { return K * x * 2; }\n"
        "kernel void k(device float* out, uint i [[thread_position_in_grid]]) { out[i] = twice(i); }\n"
        "kernel void one(device float* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }\n"
    )
    library = simt.metal(source)
    with pytest.raises(simt.SimtError) as told:
        library.launch("k", 1, 4, [simt.out(4)])
    assert str(told.value) == (
        "the function constant `K` has no value: give constants={'K': NUMBER}, at the command line --constant K=NUMBER"
    )
    assert library.launch("k", 1, 4, [simt.out(4)], constants={"K": 3.0})["out"].tolist() == [0, 6, 12, 18]
    assert library.launch("one", 1, 4, [simt.out(4)])["out"].tolist() == [1, 1, 1, 1]
    library.build("k")
    with pytest.raises(simt.SimtError, match="no function constant `7`; there are K, L"):
        library.launch("one", 1, 4, [simt.out(4)], constants={7: 1})


def test_a_function_constant_of_another_templates_kernel_is_not_asked_for():
    source = HEAD + (
        "constant int K [[function_constant(0)]];\n"
        "template <typename T> kernel void scaled(device T* out, uint i [[thread_position_in_grid]]) { out[i] = K * i; }\n"
        "template <int N = 2, typename T> kernel void plain(device T* out, uint i [[thread_position_in_grid]]) { out[i] = N; }\n"
        'template [[host_name("scaled_int")]] kernel void scaled<int>(device int*, uint);\n'
        'template [[host_name("plain_int")]] kernel void plain<3, int>(device int*, uint);\n'
    )
    library = simt.metal(source)
    assert library.launch("plain_int", 1, 4, [simt.out(4, "int32")])["out"].tolist() == [3, 3, 3, 3]
    with pytest.raises(simt.SimtError, match="the function constant `K` has no value"):
        library.launch("scaled_int", 1, 4, [simt.out(4, "int32")])


def test_threadgroup_memory_for_a_parameter_that_is_not_there_is_refused():
    message = r"scale has no parameter \[\[threadgroup\(3\)\]\]; of threadgroup memory from the host it has none"
    with pytest.raises(simt.SimtError, match=message):
        scale([simt.out(8), 8, X], threadgroup={3: 64})


@pytest.mark.parametrize(("first", "group"), [(0, 4), (3000, 1000)])
def test_dynamic_shared_memory_without_bytes_is_told_with_what_gives_them(first, group):
    source = f"__global__ void k(float* out) {{ extern __shared__ float s[]; s[{first} + threadIdx.x] = 1; out[threadIdx.x] = s[{first} + threadIdx.x]; }}"
    result = simt.cuda(source).launch("k", 1, group, [simt.out(group)])
    assert result.errors
    for found in result.errors:
        assert (
            "of `dynamic shared memory` at line 1; the launch gives it no bytes: shared=BYTES, at the command line --shared BYTES"
            in str(found)
        )


def test_dynamic_shared_memory_above_the_default_needs_to_be_asked_for():
    source = "__global__ void k(float* out) { extern __shared__ float s[]; s[threadIdx.x] = 1; out[threadIdx.x] = s[threadIdx.x]; }"
    result = simt.cuda(source).launch("k", 1, 4, [simt.out(4)], shared=100_000)
    assert result.shared_bytes == 100_000
    assert simt.cuda(source).launch("k", 1, 4, [simt.out(4)], shared=300_000).errors[0].kind == "shared_memory_limit"


def test_no_torch_and_no_triton_are_needed():
    import subprocess
    import sys

    program = (
        "import sys; sys.modules['torch'] = sys.modules['triton'] = None\n"
        "from scratch_kernels import simt\n"
        "print(simt.cuda('__global__ void k(float* o) { o[0] = 2; }').launch('k', 1, 1, [simt.out(1)])['o'][0])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "2.0\n"
