// One launch: the request file in, every group run, the result file out.
#pragma once
#include "schedule.h"
#include <csignal>
#include <link.h>
#include <numeric>

struct Buffer { u32 flags; u64 bytes; std::string name; u8 *at; };
enum BufferFlag : u32 { WRITABLE = 1, TRACK_INIT = 2, GROUP_MEMORY = 4, CONSTANT_SPACE = 8, SYMBOL = 16 };

static const u64 PADDING = 65536;
static std::vector<Buffer> buffers;
static std::vector<size_t> region_of;
static const char *result_path;
static bool finished;
static u64 shared_bytes;

static bool read_all(FILE *in, void *to, size_t n) { return fread(to, 1, n, in) == n; }

static u8 *fresh(u64 n) {
  void *p = mmap(nullptr, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : (u8 *)p;
}

static void write_result() {
  if (finished) return;
  finished = true;
  FILE *out = fopen(result_path, "wb");
  if (!out) _exit(3);
  char *mem = nullptr;
  size_t size = 0;
  FILE *m = open_memstream(&mem, &size);
  write_report(m);
  fprintf(m, ", \"doubtful\": %lu, \"doubtful_full\": %s, \"shared_bytes\": %lu, \"unwritten\": {", (unsigned long)doubtful.size(),
          doubtful_full ? "true" : "false", (unsigned long)shared_bytes);
  bool first = true;
  for (size_t i = 0; i < buffers.size(); i++)
    if (buffers[i].flags & TRACK_INIT) {
      Region &r = regions[region_of[i]];
      u64 missing = 0;
      for (u64 b = 0; b < buffers[i].bytes; b++) missing += !r.init[b];
      fprintf(m, "%s\"%zu\": %lu", first ? "" : ", ", i, (unsigned long)missing);
      first = false;
    }
  fprintf(m, "}}");
  fclose(m);
  u64 n = size, d = doubtful.size();
  fwrite("SIMTRES1", 1, 8, out);
  fwrite(&n, 8, 1, out);
  fwrite(&d, 8, 1, out);
  fwrite(mem, 1, size, out);
  for (auto &k : doubtful) fwrite(&k.first, 8, 1, out);
  for (auto &b : buffers)
    if ((b.flags & WRITABLE) && !(b.flags & GROUP_MEMORY)) fwrite(b.at, 1, b.bytes, out);
  fclose(out);
}

static void finish_halted() {
  if (current) { burn(); counts.work += current->interval; }
  write_result();
  _exit(0);
}

static void on_signal(int number, siginfo_t *info, void *) {
  if (finished) _exit(3);
  addr a = (addr)info->si_addr;
  bool overflow = false;
  if (number == SIGSEGV && stacks && a >= (addr)stacks && a < (addr)stacks + stack_count * STACK) overflow = true;
  Finding f = finding(overflow ? "stack_overflow" : number == SIGFPE ? "division_by_zero" : "crash", "", number, 0);
  if (current) {
    u32 d = std::min<u32>(current->depth, 64);
    while (d > 0 && !line_at(current->calls[d - 1])) d--;
    f.line = d ? line_at(current->calls[d - 1]) : 0;
  }
  if (number != SIGFPE || findings.empty() || findings.back().kind != "division_by_zero") report(f);
  stopped = true;
  stopped_by = overflow ? "a thread's stack overflowed" : number == SIGFPE ? "an integer was divided by zero" : "the kernel crashed";
  if (current) { burn(); current->poisoned = nullptr; }
  write_result();
  _exit(0);
}

static void add_region(const std::string &name, addr at, u64 bytes, Space space, bool writable, bool track) {
  Region r;
  r.begin = at;
  r.end = at + bytes;
  r.space = space;
  r.writable = writable;
  r.name = name;
  r.track_init = track || space == SHARED;
  r.constant = false;
  if (r.track_init) r.init = fresh(bytes + 64);
  if (request.race && writable) {
    r.mapped_cells = bytes / 4 + 2;
    r.cells = (Cell *)fresh(r.mapped_cells * sizeof(Cell));
  }
  regions.push_back(std::move(r));
}

static int describe() {
  printf("{\"parameters\": [");
  for (int i = 0; i < simt_parameter_count; i++)
    printf("%s[%d, %d, %d, %d]", i ? ", " : "", simt_parameters[i][0], simt_parameters[i][1], simt_parameters[i][2], simt_parameters[i][3]);
  printf("], \"shared\": [");
  u64 n = &simt_shared_count ? simt_shared_count : 0;
  for (u64 i = 0; i < n; i++) printf("%s[\"%s\", %lu]", i ? ", " : "", (const char *)simt_shared_rows[i].name, (unsigned long)simt_shared_rows[i].bytes);
  printf("], \"sites\": %lu}\n", (unsigned long)(&simt_site_count ? simt_site_count : 0));
  return 0;
}

static bool read_request(FILE *in) {
  char magic[8];
  u32 n = 0, spoiled = 0;
  if (!read_all(in, magic, 8) || memcmp(magic, "SIMTREQ1", 8)) return false;
  if (!read_all(in, &request, sizeof request) || !read_all(in, &n, 4) || !read_all(in, &spoiled, 4)) return false;
  for (u32 i = 0; i < spoiled; i++) { u64 k; if (!read_all(in, &k, 8)) return false; spoil.insert(k); }
  u64 total = PADDING;
  for (u32 i = 0; i < n; i++) {
    Buffer b;
    u32 length;
    if (!read_all(in, &b.flags, 4) || !read_all(in, &length, 4) || !read_all(in, &b.bytes, 8) || length > 4096) return false;
    b.name.resize(length);
    if (!read_all(in, b.name.data(), length)) return false;
    total += (b.bytes + 511) / 256 * 256 + PADDING;
    buffers.push_back(b);
  }
  u64 dynamic = request.dynamic_shared;
  total += dynamic + 2 * PADDING;
  u8 *arena = fresh(total);
  if (!arena) return false;
  arena_begin = (addr)arena;
  arena_end = arena_begin + total;
  u8 *next = arena + PADDING;
  memset(arena, (int)request.poison, std::min<u64>(total, 2 * PADDING));
  for (auto &b : buffers) {
    b.at = next;
    memset(next + b.bytes, (int)request.poison, 512);
    next += (b.bytes + 511) / 256 * 256 + PADDING;
    if (b.flags & GROUP_MEMORY) memset(b.at, (int)request.poison, b.bytes);
    else if (!read_all(in, b.at, b.bytes)) return false;
  }
  dynamic_shared = next;
  return true;
}

static int note_segments(dl_phdr_info *info, size_t, void *) {   // the first one listed is the program
  for (int i = 0; i < info->dlpi_phnum; i++) {
    auto &p = info->dlpi_phdr[i];
    if (p.p_type != PT_LOAD) continue;
    addr begin = info->dlpi_addr + p.p_vaddr;
    (p.p_flags & PF_W ? writable_segments : constant_segments).push_back({begin, begin + p.p_memsz});
  }
  return 1;
}

static int launch(const char *from, const char *to) {
  FILE *in = fopen(from, "rb");
  if (!in || !read_request(in)) { fprintf(stderr, "the request cannot be read\n"); return 2; }
  fclose(in);
  result_path = to;
  index_sites();
  dl_iterate_phdr(note_segments, nullptr);
  u32 whole = request.group[0] * request.group[1] * request.group[2];
  for (auto &b : buffers) {
    if (b.flags & SYMBOL) continue;
    region_of.push_back(regions.size());
    add_region(b.name, (addr)b.at, b.bytes, b.flags & GROUP_MEMORY ? SHARED : DEVICE, b.flags & (WRITABLE | GROUP_MEMORY), b.flags & TRACK_INIT);
    regions.back().constant = b.flags & CONSTANT_SPACE;
    arguments.push_back(b.at);
  }
  if (&simt_shared_count)
    for (u64 i = 0; i < simt_shared_count; i++)
      add_region((const char *)simt_shared_rows[i].name, simt_shared_rows[i].at, simt_shared_rows[i].bytes, SHARED, true, true);
  if (&simt_global_count)
    for (u64 i = 0; i < simt_global_count; i++)
      add_region((const char *)simt_global_rows[i].name, simt_global_rows[i].at, simt_global_rows[i].bytes, DEVICE, true, false);
  if (&simt_constant_count)
    for (u64 i = 0; i < simt_constant_count; i++) {
      add_region((const char *)simt_constant_rows[i].name, simt_constant_rows[i].at, simt_constant_rows[i].bytes, DEVICE, false, false);
      regions.back().constant = true;
    }
  for (auto &b : buffers) {
    if (!(b.flags & SYMBOL)) continue;
    bool found = false;
    for (auto &r : regions)
      if (r.name == b.name && r.begin + b.bytes <= r.end && (r.begin < arena_begin || r.begin >= arena_end)) { memcpy((void *)r.begin, b.at, b.bytes); found = true; }
    if (!found) { fprintf(stderr, "no variable %s of %lu bytes\n", b.name.c_str(), (unsigned long)b.bytes); return 4; }
  }
  if (request.dynamic_shared || request.language) add_region("dynamic shared memory", (addr)dynamic_shared, request.dynamic_shared, SHARED, true, true);
  for (auto &r : regions) if (r.space == SHARED) shared_bytes += r.end - r.begin;
  if (shared_bytes > request.shared_limit) {
    Finding f = finding("shared_memory_limit", "", 0, 0);
    f.a = shared_bytes;
    f.b = request.shared_limit;
    report(f);
    stopped = true;
    stopped_by = "more threadgroup memory than a group may have";
    write_result();
    return 0;
  }
  rng.seed(request.seed);
  if (!make_stacks(whole)) { fprintf(stderr, "no memory for the threads' stacks\n"); return 2; }
  std::vector<Fiber> all(whole);
  fibers = all.data();
  if (request.trace) {
    touches.resize((u64)((whole + 31) / 32) * kernel_sites);
    occurrence.assign((u64)whole * kernel_sites, 0);
  }
  stack_t alternate{};
  alternate.ss_sp = fresh(65536);
  alternate.ss_size = 65536;
  sigaltstack(&alternate, nullptr);
  struct sigaction act{};
  act.sa_sigaction = on_signal;
  act.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int s : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP}) sigaction(s, &act, nullptr);
  u64 groups = (u64)request.grid[0] * request.grid[1] * request.grid[2];
  std::vector<u64> order(groups);
  std::iota(order.begin(), order.end(), 0);
  if (request.schedule) std::shuffle(order.begin(), order.end(), rng);
  for (u64 g : order) {
    group_index = g;
    group_at[0] = (u32)(g % request.grid[0]);
    group_at[1] = (u32)(g / request.grid[0] % request.grid[1]);
    group_at[2] = (u32)(g / ((u64)request.grid[0] * request.grid[1]));
    for (int d = 0; d < 3; d++) group_dims[d] = std::min(request.group[d], request.threads[d] - group_at[d] * request.group[d]);
    group_threads = group_dims[0] * group_dims[1] * group_dims[2];
    first_thread = g * whole;
    counts.groups++;
    counts.threads += group_threads;
    run_group();
  }
  write_result();
  return 0;
}
