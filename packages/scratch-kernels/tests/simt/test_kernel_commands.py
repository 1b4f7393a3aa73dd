"""`bench kernel check` and `bench kernel run`: what is wrong is told in one sentence, under the name of the person's file."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from benchwright.errors import UserError
from click.testing import CliRunner
from scratch_kernels import emulator_commands, simt

METAL = (
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "kernel void add(device const float *a, device float *c, uint i [[thread_position_in_grid]]) { c[i] = a[i] + 1; }\n"
)
CUDA = (
    "__global__ void add(const float *a, float *c) { c[threadIdx.x] = a[threadIdx.x] + 1; }\n"
    "template <int N> __global__ void scale(float *c) { c[threadIdx.x] *= N; }\n"
)
A = ["--buffer", "a=rand:float32:32"]
GOOD = [*A, "--buffer", "c=out:float32:32"]


@pytest.fixture
def bench(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("add.metal").write_text(METAL)
    Path("add.cu").write_text(CUDA)
    Path("empty.npy").write_bytes(b"")
    np.save("objects.npy", np.array([{}], object), allow_pickle=True)
    np.savez("many.npz", np.zeros(3))
    Path("many.npz").rename("many.npy")
    return lambda *args: CliRunner().invoke(emulator_commands.kernel, list(args))


@pytest.mark.parametrize(
    ("file", "options", "words"),
    [
        ("add.metal", [*A, "--buffer", "c=out:float32:-3"], "a size is a number of elements from 0 to 536,870,912"),
        ("add.metal", [*A, "--buffer", "c=out:float32:9999999999999"], "elements from 0 to 536,870,912"),
        ("add.metal", [*A, "--buffer", "c=zeros:float64:9999999999999999999"], "elements from 0 to 268,435,456"),
        ("add.metal", [*A, "--buffer", "c=out:object:9"], "object is no type of numbers"),
        ("add.metal", [*A, "--buffer", "c=out:U5:9"], "U5 is no type of numbers"),
        ("add.metal", [*A, "--buffer", "c=out:float33:9"], "float33 is no type of numbers; float32 and uint32 are two"),
        ("add.metal", [*GOOD, "--threadgroup", "s=64"], "--threadgroup 's=64' is not INDEX=BYTES, for example 0=128"),
        ("add.metal", [*GOOD, "--constant", "n=x"], "--constant 'n=x' is not NAME=NUMBER"),
        ("add.metal", ["--buffer", "a=nope.npy"], "nope.npy: cannot be read: No such file or directory"),
        ("add.metal", ["--buffer", "a=empty.npy"], "empty.npy: is no array of numbers"),
        ("add.metal", ["--buffer", "a=objects.npy"], "objects.npy: holds Python objects; `numpy.save` writes an array"),
        ("add.metal", ["--buffer", "a=many.npy"], "many.npy: is an archive of arrays"),
        ("add.metal", [*GOOD, "--seed", "-1"], "--seed -1: a seed is a whole number from 0"),
        ("add.metal", [*GOOD, "--seed", "99999999999999999999999"], "a seed is a whole number from 0"),
        ("add.metal", [*GOOD, "--grid", "99999999999"], "every size is at most 2,147,483,647"),
        ("add.metal", [*GOOD, "--grid", "2000000000"], "4,294,967,295 are the most"),
        ("add.cu", [*GOOD, "--shared", "-1"], "--shared -1: a number of bytes is 0 or more"),
        ("add.cu", [*GOOD, "--shared", "99999999999"], "the shared memory of a group has at most 232,448"),
    ],
)
def test_a_run_that_cannot_be_is_refused_in_one_sentence(bench, file, options, words):
    done = bench("run", file, "add", *options)
    assert isinstance(done.exception, UserError), done.exception
    assert done.exception.exit_code == 2
    assert words in str(done.exception)
    assert "\n" not in str(done.exception)
    assert "Errno" not in str(done.exception)


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        (simt.out(-3), {}, "has a size below 0"),
        (simt.out(9999999999999), {}, "2,147,483,648 are the most"),
        (simt.out(9, "object"), {}, "an array of Python objects is no buffer"),
        (simt.out(9, "nonsense"), {}, "is no shape and type"),
        (simt.out(32), {"seed": -1}, "seed is -1; it is from 0 to"),
        (simt.out(32), {"seed": 2**64}, "seed is 18446744073709551616; it is from 0 to"),
        (simt.out(32), {"seed": 1.5}, "seed is 1.5, no whole number"),
        (simt.out(32), {"budget": -1}, "budget is -1; it is from 0 to"),
        (simt.out(32), {"shared": -1}, "shared is -1; it is from 0 to"),
        (simt.out(32), {"shared": 99999999999}, "the shared memory of a group has at most 232,448"),
    ],
)
def test_python_is_told_the_same(given, options, words):
    a = np.ones(32, np.float32)
    with pytest.raises(simt.SimtError) as told:
        simt.cuda(CUDA).launch("add", 1, 32, [a, given], **options)
    assert words in str(told.value)


@pytest.mark.parametrize(("size", "words"), [(-4, "it is from 0 to"), (99999999999, "at most 32,768")])
def test_threadgroup_memory_has_a_size_that_can_be(size, words):
    source = "kernel void f(device float *c, threadgroup float *t [[threadgroup(0)]]) { t[0] = 1; c[0] = t[0]; }\n"
    with pytest.raises(simt.SimtError, match=words):
        simt.metal(source).launch("f", 1, 1, [simt.out(1)], threadgroup={0: size})


def test_an_output_starts_with_every_bit_set():
    source = "kernel void f(device float *c) { c[0] = 1; }\n"
    c = simt.metal(source).launch("f", 1, 1, [simt.out((2, 2))])["c"]
    assert c.shape == (2, 2)
    assert c[0, 0] == 1
    assert np.all(np.isnan(c.reshape(-1)[1:]))


def test_one_of_a_kind_is_counted_in_the_singular_and_a_position_has_no_index(bench):
    done = bench("check", "add.metal")
    assert "uint i [thread_position_in_grid]\n" in done.output
    assert "device float *c [buffer 1]\n" in done.output
    assert "add.metal: 1 kernel, 0 cannot be built\n" in done.output
    assert bench("run", "add.metal", "add", *GOOD).output.startswith("1 group, 32 threads; work 96")


def test_a_template_without_arguments_waits_for_them_and_is_not_a_fault(bench):
    done = bench("check", "--kernel", "scale", "add.cu")
    assert done.exit_code == 0
    assert done.output == (
        "scale  line 2  is a template: --kernel with its arguments builds it\nadd.cu: 1 kernel, 0 cannot be built\n"
    )
    run = bench("run", "add.cu", "scale", "--buffer", "c=out:float32:32")
    assert str(run.exception) == "add.cu: `scale` is a template; ask for `scale<...>`"


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("mine.metal", "\nkernel void f(device float *c) { c[0] = q; }\n", "mine.metal:2: use of undeclared"),
        ("mine.metal", "goto x;\n", "mine.metal:1: 'goto' is not supported"),
        ("mine.cu", "__global__ void f(float *c) { c[0] = q; }\n", "mine.cu:1: use of undeclared"),
        ("mine.cu", "__global__ int f(float *c) { return 0; }\n", "mine.cu:1: a __global__ function returns void"),
        ("mine.py", "import triton\n\n@triton.jit\ndef f(:\n", "mine.py:4: "),
    ],
)
def test_a_complaint_names_the_file_as_its_owner_does(bench, name, text, words):
    Path(name).write_text(text)
    done = bench("check", name)
    assert done.exit_code != 0
    assert words in done.output + str(done.exception)
    assert "kernel.metal:" not in done.output + str(done.exception)


def test_no_file_and_a_folder_are_no_kernel_file(bench):
    assert str(bench("check", "").exception).startswith("FILE is empty; name a kernel file")
    assert "is a folder" in str(bench("check", ".").exception)


@pytest.mark.parametrize(
    ("command", "file", "option", "value", "owners"),
    [
        ("run", "add.py", "--group", "64", "Metal and CUDA"),
        ("run", "add.py", "--group", "32", "Metal and CUDA"),
        ("run", "add.py", "--threads", "64", "Metal"),
        ("run", "add.py", "--shared", "64", "CUDA"),
        ("run", "add.py", "--group-budget", "64", "Metal and CUDA"),
        ("run", "add.py", "--header", "add.h", "Metal and CUDA"),
        ("run", "add.py", "--include", ".", "Metal and CUDA"),
        ("check", "add.py", "--header", "add.h", "Metal and CUDA"),
        ("check", "add.py", "--include", ".", "Metal and CUDA"),
        ("run", "add.cu", "--threads", "64", "Metal"),
        ("run", "add.metal", "--shared", "64", "CUDA"),
        ("run", "add.cu", "--threadgroup", "0=64", "Metal"),
        ("run", "add.py", "--constant", "n=1", "Metal"),
    ],
)
def test_an_option_of_another_language_is_refused_in_one_sentence(bench, command, file, option, value, owners):
    Path("add.py").write_text("import triton\n\n\n@triton.jit\ndef add(a, c):\n    pass\n")
    Path("add.h").write_text("")
    done = bench(command, file, *(["add"] if command == "run" else []), option, value)
    assert isinstance(done.exception, UserError), done.output
    language = {".py": "Triton", ".cu": "CUDA", ".metal": "Metal"}[Path(file).suffix]
    said = f"{option} is of {owners} and says nothing to the {language} file {file}; leave it out"
    assert str(done.exception) == said


def first_values(bench, *options):
    """The first values of `a` and `b`, which a kernel hands on."""
    Path("both.cu").write_text(
        "__global__ void both(const float *a, const float *b, float *x, float *y) { x[threadIdx.x] = a[threadIdx.x]; y[threadIdx.x] = b[threadIdx.x]; }\n"
    )
    buffers = ["a=rand:float32:32", "b=rand:float32:32", "x=out:float32:32", "y=out:float32:32"]
    done = bench("run", "both.cu", "both", *(word for b in buffers for word in ("--buffer", b)), *options)
    assert done.exit_code == 0, done.output
    return done.output.partition("x: ")[2].split("y: ")


def test_each_random_buffer_has_numbers_of_its_own_that_the_seed_gives_again(bench):
    one, other = first_values(bench, "--seed", "7")
    assert one.strip() != other.strip()
    assert first_values(bench, "--seed", "7") == [one, other]
    assert first_values(bench, "--seed", "8") != [one, other]


def test_group_memory_and_function_constants_are_given_at_the_command_line(bench):
    Path("host.metal").write_text(
        "#include <metal_stdlib>\nusing namespace metal;\nconstant uint stride [[function_constant(3)]];\n"
        "kernel void host(device uint *c, threadgroup uint *s [[threadgroup(0)]], uint t [[thread_position_in_threadgroup]]) {\n"
        "  s[t] = stride * t;\n  threadgroup_barrier(mem_flags::mem_threadgroup);\n  c[t] = s[31 - t];\n}\n"
    )
    launch = ["run", "host.metal", "host", "--buffer", "c=out:uint32:32"]
    for constant in ("stride=2", "3=2"):
        done = bench(*launch, "--threadgroup", "0=128", "--constant", constant)
        assert done.exit_code == 0, (done.output, done.exception)
        assert "c: [62 60 58 56 54 52 50 48]" in done.output
    assert "`s` is threadgroup memory" in str(bench(*launch, "--constant", "stride=2").exception)


def test_a_kernel_file_that_is_a_pipe_is_refused_and_not_waited_for(bench):
    os.mkfifo("pipe.cu")
    assert "pipe.cu: is no regular file but a pipe or a device" in str(bench("check", "pipe.cu").exception)


@pytest.mark.parametrize(("file", "text"), [("marked.cu", CUDA), ("marked.metal", METAL)])
def test_a_byte_order_mark_before_a_kernel_file_is_skipped(bench, file, text):
    Path(file).write_text("\ufeff" + text)
    done = bench("check", "--kernel", "add", file)
    assert done.exit_code == 0, (done.output, done.exception)
    assert "add  line " in done.output
    language = {".cu": simt.cuda, ".metal": simt.metal}[Path(file).suffix]
    assert "add" in language("\ufeff" + text).kernels


def test_a_cuda_kernel_that_asks_for_what_is_not_modelled_leaves_the_others_of_its_file_alone(bench):
    Path("two.cu").write_text("__global__ void bad(int *c) { int *p = new int[4]; c[0] = p[0]; }\n" + CUDA)
    assert bench("run", "two.cu", "add", *GOOD).exit_code == 0
    told = "two.cu:1: device-side allocation is not modelled"
    assert str(bench("run", "two.cu", "bad", "--buffer", "c=out:int32:32").exception) == told
    done = bench("check", "two.cu")
    assert done.exit_code == 2
    assert f"bad  line 1  cannot be built\n    int *c [buffer 0]\n    {told}\n" in done.output
    assert "add  line 2  builds\n" in done.output
