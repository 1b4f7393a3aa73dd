// The records of one launch.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef uintptr_t addr;

enum State : u8 { READY, AT_BARRIER, AT_SIMD, DONE };
enum Space : u8 { DEVICE = 0, SHARED = 1 };
enum Flag : u32 { FENCE_DEVICE = 1, FENCE_SHARED = 2 };

// Where a thread stands in each order that barriers make.
struct Clock {
  u32 epoch[2] = {1, 1};       // barriers that fenced this space, group-wide
  u32 simd[2] = {1, 1};        // simdgroup barriers that fenced it
  u32 collective = 1;          // rendezvous of its simdgroup: order its earlier reads, not its writes
  u32 arrived = 1;             // barriers of any kind: execution only
};

// One earlier access to a granule.
struct Mark {
  u32 thread;                  // 1 + global index; 0: none
  u32 pc : 27, mask : 4, atomic : 1;
  u32 epoch, simd;
};
struct ReadMark : Mark { u32 collective, arrived; };   // what orders a read and no write

// Shadow of four bytes: one line of the cache.
struct alignas(64) Cell {
  Mark write;
  ReadMark read, read2;        // read2: a reader of another group where there is one, else of another simdgroup, else of another thread
};
static_assert(sizeof(Cell) == 64);

struct Region {
  addr begin = 0, end = 0;
  Space space;
  bool writable;
  bool track_init;
  bool constant;               // the constant space: kept out of the memory counts
  std::string name;
  Cell *cells = nullptr;
  u8 *init = nullptr;          // one byte each, 1: written
  size_t mapped_cells = 0;
};

struct Finding {
  std::string kind, name;
  long offset = 0;
  u32 line = 0, other_line = 0;
  u32 thread = 0, other_thread = 0;
  u64 group = 0, other_group = 0;
  u64 a = 0, b = 0;
  u64 count = 0;
};

struct Counts {
  u64 blocks, work, span, threads, groups;
  u64 device_load_bytes, device_store_bytes, device_loads, device_stores;
  u64 shared_loads, shared_stores, atomics, barriers, simd_ops;
  u64 device_accesses, sectors, shared_accesses, bank_conflicts;
  u64 untraced;
};

struct RaceCase {              // what a race's finding is made of, should it be a new one
  u8 kind;
  Region *region;
  addr at;
  u32 place, thread;
  u64 group;
  Mark other;
};

struct Pending {               // a store about to happen, whose value decides what it is
  u8 *at = nullptr;
  u32 bytes = 0;
  u8 old[64];
  RaceCase race;
};

// What every switch and every access touches comes first and lies together.
struct alignas(64) Thread {
  void *sp;
  char *stack;
  u32 lid;
  State state;
  u8 op;                       // 1 simdgroup barrier, 2 exchange
  bool returned;               // left by a return statement
  bool fenced;                 // a device fence since its last device store
  u64 interval;                // blocks and accesses since the last barrier
  u64 fuel, filled;            // blocks until the scheduler or the budget has a say, and how many there were
  u64 steps;                   // blocks before the last filling
  u64 told;                    // of the interval, what the group's steps hold already
  u32 depth;
  Clock clock;
  u64 path;                    // hash of the calls it stands in
  u32 flags, site, mask;
  u32 active;                  // lanes of its last rendezvous
  u32 predicate;
  u32 value_bytes;
  u8 *poisoned;                // bytes that a doubtful read sees spoilt until the next event
  u32 poisoned_bytes;
};
struct Fiber : Thread {
  u32 calls[64];
  alignas(16) u8 value[64];
  u8 saved[64];
};

struct Request {
  u32 language;                // 0 Metal, 1 CUDA
  u32 grid[3], group[3], threads[3];
  u32 schedule;                // 0 in order, 1 shuffled, 2 one simdgroup as far as it can
  u32 race, trace;
  u32 poison;                  // a byte
  u32 shared_limit;
  u32 paths;                   // whether two calls of one helper are two places (not where code was moved about)
  u64 seed, budget, group_budget, dynamic_shared;
};

// Emitted into the kernel's program by the build.
struct SiteRow { u64 pc; u32 line, pad; };
struct SharedRow { u64 at, bytes, name; };
extern "C" {
extern SiteRow simt_sites[] __attribute__((weak));
extern const u64 simt_site_count __attribute__((weak));
extern SharedRow simt_shared_rows[] __attribute__((weak));
extern const u64 simt_shared_count __attribute__((weak));
extern SharedRow simt_global_rows[] __attribute__((weak));
extern const u64 simt_global_count __attribute__((weak));
extern SharedRow simt_constant_rows[] __attribute__((weak));
extern const u64 simt_constant_count __attribute__((weak));
void simt_entry(void **buffers);
extern const int simt_parameters[][4];
extern const int simt_parameter_count;
}
