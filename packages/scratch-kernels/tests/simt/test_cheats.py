"""Nothing in a kernel's source reaches the counters, the compiler's attributes, the machine's files or another launch."""

from __future__ import annotations

import os

import numpy as np
import pytest
from scratch_kernels import simt
from scratch_kernels.simt import assembly, build, launch
from scratch_kernels.simt import cache as store

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
KERNEL = "kernel void k(device float* out, uint t [[thread_position_in_threadgroup]]) {{ {body} out[t] = 1; }}\n"

METAL = {
    "inline assembly": ("", 'asm("nop");'),
    "assembly under its other names": ("", '__asm__ volatile("nop");'),
    "assembly at program scope": ('__asm("counts: .quad 0");', ""),
    "assembly through a macro": ("#define A(x) x##m\n", 'A(as)("nop");'),
    "attribute that switches the counters off": ('__attribute__((no_sanitize("coverage"))) void f() {}', ""),
    "the same in the other spelling": ('[[clang::no_sanitize("thread")]] void f() {}', ""),
    "attribute through a macro": ('#define Q __attribute__((no_sanitize("thread")))\nQ void f() {}', ""),
    "attribute by pragma": (
        '#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)\n',
        "",
    ),
    "pragma as an operator": ("", '_Pragma("clang optimize off")'),
    "section attribute": ('constant int x __attribute__((section("simt_tables"))) = 1;', ""),
    "a name of the runtime": ("", "simt_fence();"),
    "a hook of the runtime": ("void __tsan_read4(device float* p);", ""),
    "a hook behind a macro": ("#define J(a, b) a##b\n", "J(__sanitizer_cov_trace, _pc)();"),
    "a hook behind line continuation": ("", "si\\\nmt_fence();"),
    "definition of a hook": ('extern "C" void __tsan_write4(device void* p) {}', ""),
    "extern declaration": ("extern constant int environ;", ""),
    "function of the C library": ("int system(constant char* c);", "system(0);"),
    "include of a file": ('#include "/etc/passwd"\n', ""),
    "include of a C header": ("#include <stdio.h>\n", ""),
    "include by macro": ("#define H <stdio.h>\n#include H\n", ""),
    "include by digraph": ("%:include <stdio.h>\n", ""),
    "include after line continuation": ("#inc\\\nlude <stdio.h>\n", ""),
    "include behind a comment": ("/**/ # /**/ include <stdio.h>\n", ""),
    "include_next": ("#include_next <stdio.h>\n", ""),
    "embed": ("#embed </etc/passwd>\n", ""),
    "a look for a file": ("#if __has_include(</etc/passwd>)\n#endif\n", ""),
    "compiler builtin": ("", "__builtin_trap();"),
    "call through a pointer": ("void f() {}", "auto p = f; *(thread ulong*)&p += 16; p();"),
    "call of a number": ("using F = void (*)();", "((F)0x1000ul)();"),
    "module import": ("import std;", ""),
    "goto the runtime": ("", "goto *(thread void*)0;"),
}


@pytest.mark.parametrize("name", METAL)
def test_a_metal_source_that_reaches_out_is_refused(name):
    before, body = METAL[name]
    with pytest.raises(simt.CompileError):
        simt.metal(HEAD + before + "\n" + KERNEL.format(body=body)).build("k")


CUDA = {
    "inline assembly": ("", 'asm volatile("mov.u32 %0, 1;" : : );'),
    "attribute": ('__attribute__((no_sanitize("thread"))) __device__ void f() {}', ""),
    "extern function": ('extern "C" __device__ int system(const char*);', 'system("true");'),
    "a name of the runtime": ("", "simt_barrier(0, 0, 0);"),
    "the process's environment": ("extern char** environ;\n__device__ char* f() { return environ[0]; }", ""),
    "function of the C library": ("__device__ int system(const char*);", 'system("true");'),
    "call through a pointer": ("", "((void (*)())0x1000)();"),
    "include of a local file": ('#include "secret.h"\n', ""),
    "declspec": ("__declspec(dllexport) int x;", ""),
}


@pytest.mark.parametrize("name", CUDA)
def test_a_cuda_source_that_reaches_out_is_refused(name):
    before, body = CUDA[name]
    with pytest.raises(simt.CompileError):
        simt.cuda(f"{before}\n__global__ void k(float* out) {{ {body} out[0] = 1; }}").build("k")


def test_a_store_into_the_program_itself_is_caught_before_it_happens():
    source = """__device__ int mine[4];
__global__ void k(float* out, long long step) {
  char* p = (char*)mine;
  for (long long i = -200000; i < 200000; i += step) p[i] = 0;
  out[0] = 1;
}"""
    result = simt.cuda(source).launch("k", 1, 1, [simt.out(1), 64])
    assert result.errors
    assert result.stopped


def test_one_thread_does_not_reach_the_stack_of_another():
    source = """__global__ void k(float* out) {
  int here = 0;
  int* p = &here;
  for (int i = 0; i < 400000; i += 64) p[i] = 7;
  out[threadIdx.x] = 1;
}"""
    result = simt.cuda(source).launch("k", 1, 2, [simt.out(2)])
    assert {"private_memory", "out_of_bounds_write", "stack_overflow", "crash"} & {f.kind for f in result.errors}
    assert result.stopped


def test_no_state_survives_a_launch():
    source = "__device__ int n; __global__ void k(int* out) { n += 1; out[0] = n; }"
    library = simt.cuda(source)
    assert [int(library.launch("k", 1, 1, [simt.out(1, "int32")])["out"][0]) for _ in range(3)] == [1, 1, 1]


def test_inputs_are_copies():
    x = np.ones(4, np.float32)
    source = "__global__ void k(float* x) { x[threadIdx.x] = 2; }"
    result = simt.cuda(source).launch("k", 1, 4, [x])
    assert x.tolist() == [1, 1, 1, 1]
    assert result["x"].tolist() == [2, 2, 2, 2]


def test_an_output_nothing_writes_is_not_a_number():
    result = simt.cuda("__global__ void k(float* out) {}").launch("k", 1, 4, [simt.out(4)])
    assert np.isnan(result["out"]).all()


BEFORE_MAIN = """
extern "C" int open(const char*, int, ...);
extern "C" int unlink(const char*);
__attribute__((constructor)) static void before() { unlink("kernel"); open("left", 0102, 0777); open("kernel", 0102, 0777); }
"""


def test_what_runs_before_a_kernel_writes_nothing_where_kernels_are_kept(monkeypatch, tmp_path):
    """No source gets so far; if one does, it changes no kernel that runs later."""
    honest = build.build

    def laced(identity, language, file, text, *rest):
        return honest(identity, language, file, text + BEFORE_MAIN, *rest)

    monkeypatch.setattr(build, "build", laced)
    monkeypatch.setattr(assembly, "_allowed", lambda symbol: True)
    monkeypatch.setattr(store, "folder", lambda: tmp_path)
    library = simt.metal(HEAD + KERNEL.format(body=""))
    program = library.build("k")
    before = program.path.read_bytes()
    assert library.launch("k", 1, 4, [simt.out(4)])["out"].tolist() == [1.0] * 4
    assert sorted(p.name for p in program.path.parent.iterdir()) == ["about.json", "kernel"]
    assert program.path.read_bytes() == before


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "nothing"])
def test_a_result_that_is_no_plain_file_is_not_followed(kind, tmp_path):
    result = tmp_path / "result"
    make = {"link": lambda: result.symlink_to("/dev/zero"), "pipe": lambda: os.mkfifo(result), "folder": result.mkdir}
    make.get(kind, lambda: None)()
    with pytest.raises(simt.SimtError, match="no plain result"):
        launch.plain_bytes(result)
