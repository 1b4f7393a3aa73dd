// The names that the compiler's instrumentation calls.
#pragma once
#include "memory.h"

static u32 pc_of(void *ra) { return (u32)((addr)ra - image_base); }
#define PC pc_of(__builtin_return_address(0))

// A thread counts its blocks down: to the budget's end, and under the shuffled schedule to its next switch.
static const u64 BLOCKS_BEFORE_SWITCH = 8192;
// A whole group counts up to a budget of its own: what its threads do together, and something for every turn that one of them takes.
static const u64 STEPS_OF_A_TURN = 8;
static u64 group_steps;
static void burn() {                    // the blocks since the last filling are known now
  u64 n = current->filled - current->fuel;
  current->steps += n;
  counts.blocks += n;
  current->filled = current->fuel = 0;
  group_steps += current->interval - current->told + STEPS_OF_A_TURN;
  current->told = current->interval;
}
static void fill() {
  u64 n = std::min(request.budget - current->steps, request.group_budget - std::min(group_steps, request.group_budget));
  if (request.schedule == 1) n = std::min(n, BLOCKS_BEFORE_SWITCH);
  current->filled = current->fuel = n;
}
static COLD void out_of_fuel(u32 pc) {
  burn();
  counts.blocks++;
  if (++current->steps > request.budget) {
    Finding f = finding("step_budget", "", 0, here(pc));
    f.a = request.budget;
    report(f);
    halt("a thread ran past the step budget");
  }
  yield_to_scheduler(line_at(here(pc)));   // so that waiting for another thread ends
}

static COLD void misaligned(addr p, u32 n, u32 pc) {
  Region *r = region_at(p);
  if (r) { Finding f = finding("misaligned", r->name, (long)(p - r->begin), here(pc)); f.a = n; report(f); }
}
static HOT void hook(void *p, u32 n, bool store, u32 pc) {
  if (UNLIKELY(!current)) return;
  if (UNLIKELY((addr)p & (n - 1))) misaligned((addr)p, n, pc);
  access_here((addr)p, n, store, false, pc);
}

extern "C" {
void __tsan_init() {}
void __tsan_vptr_update(void **, void *) {}
void __tsan_vptr_read(void **) {}
#define HOOKS(n)                                                                                       \
  void __tsan_read##n(void *p) { hook(p, n, false, PC); }                                              \
  void __tsan_write##n(void *p) { hook(p, n, true, PC); }                                              \
  void __tsan_volatile_read##n(void *p) { access((addr)p, n, false, false, PC); }                      \
  void __tsan_volatile_write##n(void *p) { access((addr)p, n, true, false, PC); }                      \
  void __tsan_unaligned_read##n(void *p) { access((addr)p, n, false, false, PC); }                     \
  void __tsan_unaligned_write##n(void *p) { access((addr)p, n, true, false, PC); }                     \
  void __tsan_unaligned_volatile_read##n(void *p) { access((addr)p, n, false, false, PC); }            \
  void __tsan_unaligned_volatile_write##n(void *p) { access((addr)p, n, true, false, PC); }            \
  void __tsan_read_write##n(void *p) { access((addr)p, n, false, false, PC); access((addr)p, n, true, false, PC); } \
  void __tsan_unaligned_read_write##n(void *p) { access((addr)p, n, false, false, PC); access((addr)p, n, true, false, PC); }
HOOKS(1) HOOKS(2) HOOKS(4) HOOKS(8) HOOKS(16)

static void range(const void *p, u64 n, bool store, u32 pc) {
  for (u64 i = 0; i < n; i += 16) access((addr)p + i, (u32)std::min<u64>(16, n - i), store, false, pc);
}
void __tsan_read_range(void *p, u64 n) { range(p, n, false, PC); }
void __tsan_write_range(void *p, u64 n) { range(p, n, true, PC); }
void *__tsan_memcpy(void *d, const void *s, u64 n) { range(s, n, false, PC); range(d, n, true, PC); settle(); return memcpy(d, s, n); }
void *__tsan_memmove(void *d, const void *s, u64 n) { range(s, n, false, PC); range(d, n, true, PC); settle(); return memmove(d, s, n); }
void *__tsan_memset(void *d, int c, u64 n) { range(d, n, true, PC); settle(); return memset(d, c, n); }

void __tsan_func_entry(void *caller) {
  if (!current) return;
  u32 pc = pc_of(caller);
  if (current->depth < 64) current->calls[current->depth] = pc;
  current->depth++;
  if (request.paths) current->path = current->path * 0x100000001B3ull + pc;
}
void __tsan_func_exit() {
  if (!current || !current->depth) return;
  current->depth--;
  if (!request.paths) return;
  u64 path = 0;
  for (u32 i = 0; i < std::min<u32>(current->depth, 64); i++) path = path * 0x100000001B3ull + current->calls[i];
  current->path = path;
}

void __sanitizer_cov_trace_pc() {
  if (UNLIKELY(!current)) return;
  settle();
  current->interval++;
  if (UNLIKELY(!current->fuel)) { out_of_fuel(PC); return; }
  current->fuel--;
}

struct SourceLocation { const char *file; u32 line, column; };
struct TypeDescriptor { uint16_t kind, info; char name[1]; };
struct OutOfBounds { SourceLocation at; TypeDescriptor *array, *index; };
void __ubsan_handle_out_of_bounds(OutOfBounds *d, u64 index) {
  if (!current) return;
  Finding f;
  f.kind = "index_out_of_range";
  f.name = d->array->name;
  f.line = d->at.line;
  f.other_line = d->at.column;
  f.offset = (long)(int64_t)index;
  f.thread = current->lid;
  f.group = group_index;
  report(f);
}
void __ubsan_handle_divrem_overflow(OutOfBounds *d, u64, u64) {
  if (!current) return;
  Finding f = finding("division_by_zero", "", 0, 0);
  f.line = d->at.line;
  report(f);
}
}
