// Who runs next, what a rendezvous means, and what is wrong when threads do not meet.
#pragma once
#include "hooks.h"
#include "simt.h"

static void *scheduler_sp;
static std::mt19937_64 rng;
static std::vector<simt_lanes> lanes;    // one for each simdgroup
static int barrier_votes;
static u32 group_at[3], group_dims[3];
static std::vector<void *> arguments;
static void *dynamic_shared;

static COLD void group_out_of_fuel(u32 line) {
  Finding f = finding("step_budget_of_group", "", 0, 0);
  f.line = line;
  f.a = request.group_budget;
  f.b = group_threads;
  report(f);
  halt("a group ran past the step budget of its threads together");
}

static void yield_to_scheduler(u32 line) {
  settle();
  burn();
  if (UNLIKELY(group_steps > request.group_budget)) group_out_of_fuel(line);
  fill();
  simt_switch(&current->sp, scheduler_sp);
}

static void finish_halted();
static void halt(const char *why) {
  stopped = true;
  stopped_by = why;
  settle();
  finish_halted();
}

static void fiber_body() {
  simt_entry(arguments.data());
  settle();
  current->state = DONE;
  yield_to_scheduler(0);
  __builtin_trap();
}

extern "C" {
void simt_barrier(u32 flags, u32 site, int predicate) {
  current->state = AT_BARRIER;
  current->flags = flags;
  current->site = site;
  current->predicate = predicate != 0;
  yield_to_scheduler(site >> 8);
}
int simt_barrier_votes(void) { return barrier_votes; }
void simt_simd_barrier(u32 flags, u32 site, u32 mask) {
  current->state = AT_SIMD;
  current->op = 1;
  current->flags = flags;
  current->site = site;
  current->mask = mask;
  yield_to_scheduler(site >> 8);
}
const simt_lanes *simt_exchange(const void *value, u32 bytes, u32 site, u32 mask) {
  settle();
  current->state = AT_SIMD;
  current->op = 2;
  current->site = site;
  current->mask = mask;
  current->value_bytes = std::min<u32>(bytes, 64);
  memset(current->value, 0, 64);
  memcpy(current->value, value, current->value_bytes);
  yield_to_scheduler(site >> 8);
  simt_lanes &l = lanes[current->lid / 32];
  l.active = current->active;            // another part of the simdgroup may have met since
  return &l;
}
void simt_undefined_lane(void *value, u32 bytes, u32 source) {
  memset(value, (int)request.poison, bytes);
  // What a lane brought to another rendezvous is what its register would show; the second look spoils that too.
  u32 other = current->lid / 32 * 32 + source;
  if (!request.language && request.poison == 0xff && source < 32 && other < group_threads && fibers[other].value_bytes == bytes)
    memcpy(value, fibers[other].value, bytes);
  Finding f = finding("undefined_lane", "", source, here(PC));
  report(f);
}
void simt_atomic(const void *p, u32 bytes, int how) {
  u32 pc = here(PC);
  if (request.schedule == 1 && (rng() & 7) == 0) yield_to_scheduler(line_at(pc));
  counts.atomics++;
  if (how != 2) access((addr)p, bytes, false, true, pc);
  if (how != 1) access((addr)p, bytes, true, true, pc);
  settle();
  auto &groups = released[(addr)p];
  if (current->fenced) groups.insert(group_index);
  if (groups.size() > 1 || (groups.size() == 1 && !groups.count(group_index))) acquired.insert(groups.begin(), groups.end());
}
void simt_fence(void) { settle(); current->fenced = true; }
int simt_spurious(void) { return request.schedule == 1 && (rng() & 15) == 0; }
u32 simt_lane(void) { return current->lid % 32; }
u32 simt_active_subset(void) { return 1u << (current->lid % 32); }
void simt_read(const void *p, u32 n) { access((addr)p, n, false, false, here(PC)); settle(); }
void simt_write(void *p, u32 n) { access((addr)p, n, true, false, here(PC)); }
void simt_wide(const void *p, u32 n, u32 align, int store) {
  u32 pc = here(PC);
  if (current && ((addr)p & (align - 1))) {
    Region *r = region_at((addr)p);
    Finding f = finding("misaligned", r ? r->name : "", r ? (long)((addr)p - r->begin) : 0, pc);
    f.a = n;
    report(f);
  }
  for (u32 i = 0; i < n; i += 16) access((addr)p + i, std::min<u32>(16, n - i), store, false, pc);
  if (!store) settle();
}
void simt_returned(void) { current->returned = true; }
void simt_assertion(u32 line) {
  Finding f = finding("assertion", "", 0, 0);
  f.line = line;
  report(f);
  halt("an assertion failed");
}
void *simt_dynamic_shared(void) { return dynamic_shared; }
u32 simt_thread_in_group(int d) {
  u32 x = group_dims[0], y = group_dims[1], l = current->lid;
  return d == 0 ? l % x : d == 1 ? l / x % y : l / (x * y);
}
u32 simt_group_size(int d) { return group_dims[d]; }
u32 simt_group_asked(int d) { return request.group[d]; }
u32 simt_group_in_grid(int d) { return group_at[d]; }
u32 simt_groups(int d) { return request.grid[d]; }
u32 simt_threads(int d) { return request.threads[d]; }
}

static u32 simd_end(u32 lo) { return std::min(group_threads, lo + 32); }
static std::vector<u32> runnable, meeting;   // of each simdgroup, the threads that can run and those that wait for its others

static void release(u32 lo, u32 set) {   // the lanes in `set` of the simdgroup that starts at `lo` go on together
  simt_lanes &l = lanes[lo / 32];
  counts.simd_ops++;
  for (u32 i = lo; i < simd_end(lo); i++) {
    if (!(set >> (i - lo) & 1)) continue;
    Fiber &f = fibers[i];
    memcpy(l.value[i - lo], f.value, 64);
    f.state = READY;
    runnable[lo / 32]++;
    meeting[lo / 32]--;
    f.active = set;
    f.clock.collective++;
    if (f.op == 1) {
      if (f.flags & FENCE_SHARED) f.clock.simd[SHARED]++;
      if (f.flags & FENCE_DEVICE) f.clock.simd[DEVICE]++;
    }
  }
}

static void complain(const char *kind, const Fiber &f, u64 a, u64 b, const Fiber *other = nullptr) {
  Finding x;
  x.kind = kind;
  x.line = f.site >> 8;
  x.thread = f.lid;
  x.group = group_index;
  x.a = a;
  x.b = b;
  if (other) { x.other_thread = other->lid; x.other_line = other->site >> 8; x.other_group = group_index; }
  report(x);
}

static bool release_cuda(u32 lo) {       // a warp, none of whose threads can run: whoever's whole mask has arrived
  u32 alive = 0, waiting = 0;
  for (u32 i = lo; i < simd_end(lo); i++) {
    if (fibers[i].state != DONE) alive |= 1u << (i - lo);
    if (fibers[i].state == AT_SIMD) waiting |= 1u << (i - lo);
  }
  if (!waiting) return false;
  u32 exist = simd_end(lo) - lo == 32 ? ~0u : (1u << (simd_end(lo) - lo)) - 1;
  bool released_any = false;
  for (u32 i = lo; i < simd_end(lo); i++) {
    Fiber &f = fibers[i];
    if (f.state != AT_SIMD) continue;
    u32 need = f.mask & alive, set = 0;
    bool whole = (f.mask >> (i - lo)) & 1;
    for (u32 j = lo; whole && j < simd_end(lo); j++)
      if (need >> (j - lo) & 1) {
        Fiber &g = fibers[j];
        if (g.state != AT_SIMD || g.mask != f.mask || g.op != f.op || g.site != f.site || g.path != f.path) whole = false;
        else set |= 1u << (j - lo);
      }
    if (!whole) continue;
    for (u32 j = lo; j < simd_end(lo); j++)
      if (f.mask >> (j - lo) & 1 && fibers[j].state == DONE) { complain(fibers[j].returned ? "mask_names_returned" : "wrong_mask", f, f.mask, exist, &fibers[j]); break; }
    release(lo, set);
    released_any = true;
  }
  if (released_any) return true;
  // Nobody's promise is kept.
  for (u32 i = lo; i < simd_end(lo); i++) {
    Fiber &f = fibers[i];
    if (f.state != AT_SIMD) continue;
    const Fiber *missing = nullptr;
    for (u32 j = lo; j < simd_end(lo) && !missing; j++)
      if ((f.mask & alive) >> (j - lo) & 1 && j != i && (fibers[j].state != AT_SIMD || fibers[j].mask != f.mask || fibers[j].site != f.site)) missing = &fibers[j];
    if (!(f.mask >> (i - lo) & 1)) complain("mask_without_self", f, f.mask, 0);
    else complain("wrong_mask", f, f.mask, exist, missing);
    u32 set = 0;
    for (u32 j = lo; j < simd_end(lo); j++)
      if (fibers[j].state == AT_SIMD && fibers[j].site == f.site && fibers[j].op == f.op) set |= 1u << (j - lo);
    release(lo, set);
    return true;
  }
  return false;
}

static bool release_metal(u32 lo) {      // the lanes that stand at the innermost, earliest place: they are the active ones
  const Fiber *first = nullptr;
  u32 alive = 0;
  for (u32 i = lo; i < simd_end(lo); i++) {
    Fiber &f = fibers[i];
    if (f.state != DONE) alive |= 1u << (i - lo);
    if (f.state != AT_SIMD) continue;
    if (!first || f.depth > first->depth || (f.depth == first->depth && (f.site < first->site || (f.site == first->site && f.path < first->path)))) first = &f;
  }
  if (!first) return false;
  u32 set = 0;
  for (u32 i = lo; i < simd_end(lo); i++) {
    Fiber &f = fibers[i];
    if (f.state == AT_SIMD && f.site == first->site && f.op == first->op && f.path == first->path) set |= 1u << (i - lo);
  }
  if (first->op == 1 && set != alive) {
    const Fiber *other = nullptr;
    for (u32 i = lo; i < simd_end(lo) && !other; i++)
      if (fibers[i].state != DONE && !(set >> (i - lo) & 1)) other = &fibers[i];
    complain("divergent_simdgroup_barrier", *first, __builtin_popcount(set), __builtin_popcount(alive), other);
  }
  release(lo, set);
  return true;
}

static u64 close_interval() {            // the longest thread since the last barrier is what the group waited for
  u64 longest = 0;
  for (u32 i = 0; i < group_threads; i++) {
    counts.work += fibers[i].interval;
    longest = std::max(longest, fibers[i].interval);
    fibers[i].interval = fibers[i].told = 0;
  }
  return longest;
}

static void release_barrier() {
  u32 at = 0, left = 0, fell = 0, flags = 0;
  const Fiber *first = nullptr, *other = nullptr, *gone = nullptr;
  barrier_votes = 0;
  for (u32 i = 0; i < group_threads; i++) {
    Fiber &f = fibers[i];
    if (f.state == AT_BARRIER) {
      at++;
      flags |= f.flags;
      barrier_votes += f.predicate;
      if (!first) first = &f;
      else if (!other && (f.site != first->site || f.path != first->path)) other = &f;
    } else if (f.returned) left++;
    else { fell++; if (!gone) gone = &f; }
  }
  if (other) complain("different_barriers", *first, at, 0, other);
  if (fell) complain("divergent_barrier", *first, at, group_threads, gone);
  else if (left) complain("barrier_after_return", *first, at, left);
  counts.span += close_interval();
  counts.barriers++;
  u32 epoch[2] = {0, 0}, arrived = 0;
  for (u32 i = 0; i < group_threads; i++)
    for (int s = 0; s < 2; s++) { epoch[s] = std::max(epoch[s], fibers[i].clock.epoch[s]); arrived = std::max(arrived, fibers[i].clock.arrived); }
  for (u32 i = 0; i < group_threads; i++) {
    Fiber &f = fibers[i];
    if (f.state != AT_BARRIER) continue;
    f.state = READY;
    runnable[i / 32]++;
    f.clock.arrived = arrived + 1;
    f.clock.collective++;
    f.clock.epoch[SHARED] = epoch[SHARED] + ((flags & FENCE_SHARED) ? 1 : 0);
    f.clock.epoch[DEVICE] = epoch[DEVICE] + ((flags & FENCE_DEVICE) ? 1 : 0);
  }
}

static void poison_shared() {
  for (auto &r : regions)
    if (r.space == SHARED) {
      memset((void *)r.begin, (int)request.poison, r.end - r.begin);
      if (r.init) memset(r.init, 0, r.end - r.begin);
    }
}

static void run_group() {
  poison_shared();
  acquired.clear();
  group_steps = 0;
  u32 n = group_threads, simds = (n + 31) / 32, turn = simds ? (u32)(rng() % simds) : 0;
  static std::vector<u32> order;
  order.resize(n);
  for (u32 i = 0; i < n; i++) { start_fiber(fibers[i], i, request.poison, fiber_body); order[i] = i; current = &fibers[i]; fill(); }
  current = nullptr;
  lanes.resize(simds);
  runnable.resize(simds);
  for (u32 s = 0; s < simds; s++) runnable[s] = simd_end(s * 32) - s * 32;
  meeting.assign(simds, 0);
  u32 left = n;
  while (left) {
    if (request.schedule == 1) std::shuffle(order.begin(), order.end(), rng);
    u32 k = 0, end = n;
    if (request.schedule == 2)            // the threads are in order: one simdgroup's stand together
      for (u32 q = 0; q < simds; q++) {
        u32 s = (turn + simds - q) % simds;
        if (runnable[s]) { k = s * 32; end = simd_end(k); break; }
      }
    for (; k < end; k++) {
      Fiber &f = fibers[order[k]];
      if (k + 8 < end) { char *next = (char *)&fibers[order[k + 8]]; __builtin_prefetch(next); __builtin_prefetch(next + 64); __builtin_prefetch(next + 128); }
      if (k + 4 < end) { char *top = (char *)fibers[order[k + 4]].sp; __builtin_prefetch(top); __builtin_prefetch(top + 64); __builtin_prefetch(top + 128); }
      if (f.state != READY) continue;
      current = &f;
      simt_switch(&scheduler_sp, f.sp);
      current = nullptr;
      if (f.state == READY) continue;
      runnable[f.lid / 32]--;
      meeting[f.lid / 32] += f.state == AT_SIMD;
      left -= f.state == DONE;
    }
    if (!left) break;
    bool moved = false, ready = false;
    for (u32 s = 0; s < simds; s++) {
      if (runnable[s]) ready = true;
      else if (meeting[s]) moved |= request.language ? release_cuda(s * 32) : release_metal(s * 32);
    }
    if (moved || ready) continue;
    release_barrier();
  }
  counts.span += close_interval();
  if (request.trace) close_trace();
}
