// Every load and store of the kernel: bounds, initialisation, races, and who touched what for the counts.
#pragma once
#include "fibers.h"
#include "report.h"
#include <cstring>
#include <random>

static std::vector<Region> regions;
static Region nowhere, *recent = &nowhere, *before_recent = &nowhere;
static Fiber *fibers, *current;
static u32 group_threads;               // threads of this group
static u64 group_index, first_thread;   // the group, and the global index of its thread 0
static std::unordered_map<u64, u32> doubtful;      // (granule, thread) of reads that raced
static std::unordered_set<u64> spoil;              // those to spoil in this run
static bool doubtful_full;
static std::unordered_map<addr, std::unordered_set<u64>> released;   // atomic location -> groups that fenced, then touched it
static std::unordered_set<u64> acquired;                             // groups whose stores this group may see
static Pending pending;
static bool unsettled;                  // a store is pending, or something is poisoned
static addr arena_begin, arena_end;
static std::vector<std::pair<addr, addr>> constant_segments, writable_segments;   // of the program itself

static void yield_to_scheduler(u32 line);
static void halt(const char *why);

static inline u64 doubt_key(u64 granule, u64 thread) { return granule ^ (thread * 0x9E3779B97F4A7C15ull); }
static inline u64 granule_of(const Region &r, u64 g) { return (u64)(&r - regions.data()) << 48 | g; }   // the same in every run

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((noinline, cold))
#define HOT inline __attribute__((always_inline))

static COLD u32 caller_of(u32 pc) {
  if (!current) return pc;
  for (u32 d = std::min<u32>(current->depth, 64); d > 0; d--)
    if (line_at(current->calls[d - 1])) return current->calls[d - 1];
  return pc;
}
static HOT u32 here(u32 pc) { return LIKELY(line_at(pc)) ? pc : caller_of(pc); }   // the kernel's own place: header code counts for the call into it

static Finding finding(const char *kind, const std::string &name, long offset, u32 pc) {
  Finding f;
  f.kind = kind;
  f.name = name;
  f.offset = offset;
  f.line = line_at(pc);
  f.thread = current ? current->lid : 0;
  f.group = group_index;
  return f;
}

static const char *const RACES[] = {"same_value_write", "write_after_read_across_unfenced_barrier", "race_in_simdgroup_read_write",
                                    "race_in_simdgroup_write_write", "race_in_group_read_write", "race_in_group_write_write",
                                    "race_across_groups_read_write", "race_across_groups_write_write"};
static std::unordered_map<u64, size_t> known_races;      // a benign one may come millions of times

static void report_race(const RaceCase &c) {
  u64 key = ((u64)(c.region - regions.data()) << 40) ^ ((u64)c.place << 8) ^ c.kind;
  auto it = known_races.find(key);
  if (it != known_races.end()) { findings[it->second].count++; return; }
  Finding f = finding(RACES[c.kind], c.region->name, (long)(c.at - c.region->begin), c.place);
  f.line = line_at(c.place);
  f.thread = c.thread;
  f.group = c.group;
  f.other_line = line_at(c.other.pc);
  u32 whole = request.group[0] * request.group[1] * request.group[2], other = c.other.thread - 1;
  f.other_group = other / whole;
  f.other_thread = other % whole;
  f.b = c.region->space;
  report(f);
  auto place = known.find(std::make_tuple(f.kind, f.name, f.line));
  if (place != known.end()) known_races[key] = place->second;
}

static COLD void settle_now() {
  unsettled = false;
  if (pending.at) {
    bool same = memcmp(pending.at, pending.old, pending.bytes) == 0;
    pending.at = nullptr;
    if (same) pending.race.kind = 0;
    report_race(pending.race);
  }
  if (current && current->poisoned) {
    memcpy(current->poisoned, current->saved, current->poisoned_bytes);
    current->poisoned = nullptr;
  }
}
static HOT void settle() { if (UNLIKELY(unsettled)) settle_now(); }   // what had to wait for the instruction after a hook

static bool within(const std::vector<std::pair<addr, addr>> &list, addr a) {
  for (auto &s : list)
    if (a >= s.first && a < s.second) return true;
  return false;
}

static COLD Region *find_region(addr a) {
  for (auto &r : regions)
    if (a >= r.begin && a < r.end) { before_recent = recent; return recent = &r; }
  return nullptr;
}
static HOT Region *region_at(addr a) {
  if (LIKELY(a - recent->begin < recent->end - recent->begin)) return recent;
  if (a - before_recent->begin < before_recent->end - before_recent->begin) { std::swap(recent, before_recent); return recent; }
  return find_region(a);
}

static void outside(addr a, u32 n, bool store, u32 pc) {
  if (a >= (addr)stacks && a < (addr)stacks + stack_count * STACK) {
    report(finding("private_memory", "", 0, pc));
    halt("a thread touched another thread's private memory");
  }
  const Region *best = nullptr;
  u64 distance = ~0ull;
  for (auto &r : regions) {
    u64 d = a >= r.end ? a - r.end + 1 : r.begin - a;
    if (d < distance) { distance = d; best = &r; }
  }
  bool near_by = best && distance <= (best->space == SHARED && best->end > best->begin ? 4096u : 65536u);
  Finding f = finding(store ? "out_of_bounds_write" : "out_of_bounds_read", near_by ? best->name : "", near_by ? (long)(a - best->begin) : 0, pc);
  f.a = n;
  f.b = best && near_by ? best->end - best->begin : 0;
  report(f);
  if (!near_by) halt("an access far outside every buffer");
}

struct Race { int rank; Mark other; };     // 1 across an unfenced barrier, 2 in a simdgroup, 3 in a group, 4 across groups

static HOT bool same_group(const Mark &m) { return m.thread - 1 - first_thread < group_threads; }
static HOT bool same_simd(const Mark &m) { return (m.thread - 1 - first_thread) / 32 == current->lid / 32; }
static COLD bool group_acquired(const Mark &m) {
  return acquired.count((m.thread - 1) / (u64)(request.group[0] * request.group[1] * request.group[2])) > 0;
}

// Whether an earlier access comes before this one whatever the schedule.
static HOT bool ordered(const Mark &m, Space space, u64 me) {
  if (!m.thread || m.thread == me) return true;
  if (!same_group(m)) return space == SHARED || group_acquired(m);     // shared: a mark that an earlier group left
  if (m.epoch < current->clock.epoch[space]) return true;
  return same_simd(m) && m.simd < current->clock.simd[space];
}
static HOT bool ordered(const ReadMark &m, Space space, u64 me) {
  return ordered((const Mark &)m, space, me) || (same_group(m) && same_simd(m) && m.collective < current->clock.collective);
}

static COLD int rank_of(const Mark &m) { return !same_group(m) ? 4 : same_simd(m) ? 2 : 3; }
static COLD int rank_of(const ReadMark &m) { return same_group(m) && m.arrived < current->clock.arrived ? 1 : rank_of((const Mark &)m); }

// A read in device memory that no barrier parts from the write: whether its value is used decides how grave that is. What is
// graded without asking is not spoilt in the second look, or its use would be taken for a use of the values in question.
static void doubt(const Region &r, u64 g, u64 thread, int rank) {
  if (r.space != DEVICE || rank < 2) return;
  if (doubtful.size() >= 65536) { doubtful_full = true; return; }
  doubtful[doubt_key(granule_of(r, g), thread)]++;
}

struct Touch { u32 word[32]; u8 bytes; u8 shared; };
static std::vector<std::vector<Touch>> touches;          // [simdgroup * sites + site][occurrence]
static std::vector<u32> occurrence;                       // [thread * sites + site]
static const u32 MOST_OCCURRENCES = 1 << 15;

static void trace(addr a, u32 n, Space space, u32 pc) {
  int site = site_at(pc);
  if (site < 0 || (u64)site >= kernel_sites || n > 16) { counts.untraced++; return; }
  u32 k = occurrence[(u64)current->lid * kernel_sites + site]++;
  if (k >= MOST_OCCURRENCES) { counts.untraced++; return; }
  auto &list = touches[(u64)(current->lid / 32) * kernel_sites + site];
  if (list.size() <= k) {
    size_t was = list.size();
    list.resize(k + 1);
    for (size_t i = was; i <= k; i++) memset(list[i].word, 0xff, sizeof list[i].word);
  }
  Touch &t = list[k];
  t.word[current->lid % 32] = (u32)((a - arena_begin) >> 2);
  t.bytes = (u8)n;
  t.shared = space == SHARED;
}

static void close_trace() {                               // a group has ended: what its accesses cost
  for (auto &list : touches) {
    for (auto &t : list) {
      u32 w[32], m = 0;
      if (!t.shared) {
        for (u32 i = 0; i < 32; i++)
          if (t.word[i] != ~0u)
            for (u32 b = 0; b < std::max<u32>(t.bytes, 1); b += 32) w[m++] = t.word[i] >> 3;   // 32-byte sectors
        if (!std::is_sorted(w, w + m)) std::sort(w, w + m);
        counts.device_accesses++;
        counts.sectors += std::unique(w, w + m) - w;
      } else {
        // 32 banks of 4 bytes; wider accesses are served by half or quarter of the lanes.
        u32 lanes = t.bytes >= 16 ? 8 : t.bytes >= 8 ? 16 : 32, words = std::max<u32>(1, t.bytes / 4);
        counts.shared_accesses++;
        for (u32 lo = 0; lo < 32; lo += lanes) {
          u32 v[32 * 4], c = 0, per[32] = {}, most = 0;
          for (u32 i = lo; i < lo + lanes; i++)
            if (t.word[i] != ~0u)
              for (u32 q = 0; q < words; q++) v[c++] = t.word[i] + q;
          if (!std::is_sorted(v, v + c)) std::sort(v, v + c);
          c = std::unique(v, v + c) - v;
          for (u32 i = 0; i < c; i++) most = std::max(most, ++per[v[i] % 32]);
          if (most > 1) counts.bank_conflicts += most - 1;
        }
      }
    }
    list.clear();
  }
  std::fill(occurrence.begin(), occurrence.end(), 0);
}

static COLD void no_region(addr a, u32 n, bool store, u32 pc) {
  bool constant = within(constant_segments, a);
  if (!store && constant) return;                         // a constant table of the program
  pc = here(pc);
  bool redzone = false;                                   // between two threadgroup variables
  for (auto &q : regions) redzone |= a + 4096 >= q.begin && a < q.end + 4096;
  if (!redzone && (constant || within(writable_segments, a))) {
    report(finding(store ? "write_to_const" : "out_of_bounds_read", "program memory", 0, pc));
    halt("an access to the program's own memory");
  }
  outside(a, n, store, pc);
}

static COLD u32 past_the_end(const Region &r, addr a, u32 n, bool store, u32 pc) {   // how many of the bytes are inside
  Finding f = finding(store ? "out_of_bounds_write" : "out_of_bounds_read", r.name, (long)(a - r.begin), here(pc));
  f.a = n;
  f.b = r.end - r.begin;
  report(f);
  return (u32)(r.end - a);
}

static COLD void write_to_constant(const Region &r, addr a, u32 pc) { report(finding("write_to_const", r.name, (long)(a - r.begin), here(pc))); }

static COLD void unwritten(const Region &r, u64 offset, u32 n, u32 pc) {
  for (u32 i = 0; i < n; i++)
    if (!r.init[offset + i]) { report(finding("uninitialised_read", r.name, (long)(offset + i), here(pc))); return; }
}

static HOT void initialise(Region &r, u64 offset, u32 n, bool store, u32 pc) {
  if (store) { memset(r.init + offset, 1, n); return; }
  u64 ones = 0x0101010101010101ull, low = 0, high = ones;
  const u8 *from = r.init + offset;
  if (n == 4) { u32 w; memcpy(&w, from, 4); low = w | ones << 32; }
  else if (n == 8) memcpy(&low, from, 8);
  else if (n == 16) { memcpy(&low, from, 8); memcpy(&high, from + 8, 8); }
  if (UNLIKELY((low & high) != ones)) unwritten(r, offset, n, pc);
}

static COLD void spoil_now(Region &r, u64 g, addr a, u32 n, u64 me) {
  if (!spoil.count(doubt_key(granule_of(r, g), me)) || current->poisoned) return;
  current->poisoned = (u8 *)a;
  current->poisoned_bytes = std::min<u32>(n, 64);
  unsettled = true;
  memcpy(current->saved, (void *)a, current->poisoned_bytes);
  memset((void *)a, (int)request.poison, current->poisoned_bytes);
}

struct Clash { Race worst{0, {}}; addr at = 0; bool against_read = false; };

static COLD void written_before(const Region &r, u64 g, const Mark &m, bool doubted, u64 me, Clash &clash) {
  int rank = rank_of(m);
  if (rank <= clash.worst.rank) return;
  clash = {{rank, m}, r.begin + g * 4, false};
  if (doubted) doubt(r, g, me, rank);
}

static COLD void read_before(const Region &r, u64 g, const ReadMark &m, Clash &clash) {
  int rank = rank_of(m);
  if (rank > clash.worst.rank) clash = {{rank, m}, r.begin + g * 4, true};
  doubt(r, g, m.thread, rank);
}

static COLD void clashed(const Clash &clash, Region *r, addr a, u32 n, bool store, bool atomic, u32 place) {
  int rank = clash.worst.rank;
  bool write_write = store && !clash.against_read;
  RaceCase c{(u8)(rank == 1 ? 1 : (rank - 1) * 2 + write_write), r, clash.at, place, current->lid, group_index, clash.worst.other};
  if (store && !atomic && n <= 64) {                      // a store of what is there already changes nothing
    pending.at = (u8 *)a;
    pending.bytes = n;
    memcpy(pending.old, (void *)a, n);
    pending.race = c;
    unsettled = true;
  } else report_race(c);
}

static HOT void watch(Region *r, addr a, u32 n, bool store, bool atomic, u32 place) {
  Space space = r->space;
  u64 offset = a - r->begin, me = 1 + first_thread + current->lid;
  const Clock &k = current->clock;
  Clash clash;
  for (u64 g = offset / 4; g <= (offset + n - 1) / 4; g++) {
    Cell &c = r->cells[g];
    u32 lo = g * 4 < offset ? (u32)(offset - g * 4) : 0, hi = std::min<u64>(offset + n - g * 4, 4);
    u32 mask = ((1u << hi) - 1) & ~((1u << lo) - 1);
    if ((c.write.mask & mask) && !(atomic && c.write.atomic) && UNLIKELY(!ordered(c.write, space, me))) written_before(*r, g, c.write, !store && !atomic, me, clash);
    if (store) {
      if ((c.read.mask & mask) && UNLIKELY(!ordered(c.read, space, me))) read_before(*r, g, c.read, clash);
      if ((c.read2.mask & mask) && UNLIKELY(!ordered(c.read2, space, me))) read_before(*r, g, c.read2, clash);
      Mark m{(u32)me, place, mask, atomic, k.epoch[space], k.simd[space]};
      if (c.write.thread == me && c.write.epoch == m.epoch && c.write.simd == m.simd) m.mask |= c.write.mask;
      c.write = m;
      continue;
    }
    if (!atomic) {
      ReadMark m{{(u32)me, place, mask, atomic, k.epoch[space], k.simd[space]}, k.collective, k.arrived};
      ReadMark &old = c.read;
      if (old.thread == me && old.epoch == m.epoch && old.collective == m.collective && old.arrived == m.arrived) m.mask |= old.mask;
      else if (old.thread && old.thread != me) {
        bool foreign = space == DEVICE && c.read2.thread && !same_group(c.read2) && same_group(old) && !group_acquired(c.read2);
        bool keep = foreign || (c.read2.thread && c.read2.thread != me && c.read2.epoch == old.epoch && same_group(c.read2) &&
                                same_group(old) && same_simd(old) && !same_simd(c.read2));
        if (!keep) c.read2 = old;
      }
      c.read = m;
    }
    if (UNLIKELY(!spoil.empty())) spoil_now(*r, g, a, n, me);
  }
  if (UNLIKELY(clash.worst.rank)) clashed(clash, r, a, n, store, atomic, place);
}

static HOT void access_here(addr a, u32 n, bool store, bool atomic, u32 pc) {
  settle();
  if (LIKELY(a - (addr)current->stack < STACK)) return;   // its own variables
  Region *r = region_at(a);
  if (UNLIKELY(!r)) { no_region(a, n, store, pc); return; }
  if (UNLIKELY(a + n > r->end)) n = past_the_end(*r, a, n, store, pc);
  if (store && UNLIKELY(!r->writable)) write_to_constant(*r, a, pc);
  current->interval++;
  if (r->constant) return;
  if (r->space == DEVICE) {
    if (store) { counts.device_stores++; counts.device_store_bytes += n; if (!atomic) current->fenced = false; }
    else { counts.device_loads++; counts.device_load_bytes += n; }
  } else if (store) counts.shared_stores++;
  else counts.shared_loads++;
  if (r->track_init) initialise(*r, a - r->begin, n, store, pc);
  bool watched = request.race && r->cells;
  if (!watched && !request.trace) return;
  u32 place = here(pc);
  if (request.trace) trace(a, n, r->space, place);
  if (watched) watch(r, a, n, store, atomic, place);
}

static __attribute__((noinline)) void access(addr a, u32 n, bool store, bool atomic, u32 pc) {
  if (current) access_here(a, n, store, atomic, pc);
}
