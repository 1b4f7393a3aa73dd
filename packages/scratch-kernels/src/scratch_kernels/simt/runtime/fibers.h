// One stack and one saved context for each thread of a threadgroup; switching is by hand.
#pragma once
#include "state.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

static const size_t STACK = 256 << 10, GUARD = 16 << 10, SPOILT = 1 << 10;
static char *stacks;
static u32 stack_count;

extern "C" void simt_switch(void **save, void *to);

#if defined(__x86_64__)
asm(".text\n.globl simt_switch\n.type simt_switch,@function\nsimt_switch:\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n.size simt_switch,.-simt_switch\n");
static const int SAVED_WORDS = 6;
#elif defined(__aarch64__)
asm(".text\n.globl simt_switch\n.type simt_switch,%function\nsimt_switch:\n"
    "sub sp,sp,#160\n"
    "stp x19,x20,[sp,#0]\nstp x21,x22,[sp,#16]\nstp x23,x24,[sp,#32]\nstp x25,x26,[sp,#48]\nstp x27,x28,[sp,#64]\n"
    "stp x29,x30,[sp,#80]\nstp d8,d9,[sp,#96]\nstp d10,d11,[sp,#112]\nstp d12,d13,[sp,#128]\nstp d14,d15,[sp,#144]\n"
    "mov x2,sp\nstr x2,[x0]\nmov sp,x1\n"
    "ldp x19,x20,[sp,#0]\nldp x21,x22,[sp,#16]\nldp x23,x24,[sp,#32]\nldp x25,x26,[sp,#48]\nldp x27,x28,[sp,#64]\n"
    "ldp x29,x30,[sp,#80]\nldp d8,d9,[sp,#96]\nldp d10,d11,[sp,#112]\nldp d12,d13,[sp,#128]\nldp d14,d15,[sp,#144]\n"
    "add sp,sp,#160\nret\n.size simt_switch,.-simt_switch\n");
#else
#error "the runtime has context switches for x86_64 and aarch64"
#endif

static bool make_stacks(u32 n) {
  stacks = (char *)mmap(nullptr, n * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED) return false;
  stack_count = n;
  for (u32 i = 0; i < n; i++) mprotect(stacks + i * STACK, GUARD, PROT_NONE);  // an overflow is caught, not spread
  return true;
}

static void start_fiber(Fiber &f, u32 lid, u32 poison, void (*body)()) {
  (Thread &)f = Thread{};
  f.lid = lid;
  f.stack = stacks + lid * STACK;
  f.state = READY;
  // The stacks lie a power of two apart: without an offset of its own each would use the same few lines of the cache.
  void **top = (void **)(f.stack + STACK - lid % 64 * 192);
  memset((char *)top - SPOILT, (int)poison, SPOILT);  // what a local variable holds before anything is written to it
#if defined(__x86_64__)
  *--top = nullptr;
  *--top = (void *)body;
  top -= SAVED_WORDS;
  for (int i = 0; i < SAVED_WORDS; i++) top[i] = nullptr;
#else
  top -= 20;
  for (int i = 0; i < 20; i++) top[i] = nullptr;
  top[11] = (void *)body;
#endif
  f.sp = top;
}
