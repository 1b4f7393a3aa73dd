// Findings: one for each (kind, name, line), with its first case and how often it came.
#pragma once
#include "state.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <tuple>

static Request request;
static Counts counts;
static std::vector<Finding> findings;
static std::map<std::tuple<std::string, std::string, u32>, size_t> known;
static const size_t MOST_FINDINGS = 200;
static bool stopped;
static std::string stopped_by;

static addr image_base;
struct Place { int site; u32 line; };   // a row of simt_sites, or -1
static std::vector<Place> places;       // by the offset of a return address in the program
static u64 kernel_sites;

extern "C" char __ehdr_start[] __attribute__((visibility("hidden")));

static void index_sites() {
  image_base = (addr)__ehdr_start;
  u64 sites = &simt_site_count ? simt_site_count : 0;
  kernel_sites = sites;
  addr last = 0;
  for (u64 i = 0; i < sites; i++) last = std::max(last, (addr)simt_sites[i].pc);
  if (!last) return;
  places.assign(last - image_base + 1, Place{-1, 0});
  for (u64 i = 0; i < sites; i++) places[simt_sites[i].pc - image_base] = {(int)i, simt_sites[i].line};
}

static inline int site_at(u32 pc) { return pc < places.size() ? places[pc].site : -1; }
static inline u32 line_at(u32 pc) { return pc < places.size() ? places[pc].line : 0; }

static void report(const Finding &f) {
  auto key = std::make_tuple(f.kind, f.name, f.line);
  auto it = known.find(key);
  if (it != known.end()) { findings[it->second].count++; return; }
  if (findings.size() >= MOST_FINDINGS) return;
  known[key] = findings.size();
  findings.push_back(f);
  findings.back().count = 1;
}

static void quote(FILE *out, const std::string &s) {
  fputc('"', out);
  for (unsigned char c : s) {
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 32 || c > 126) fprintf(out, "\\u%04x", c);
    else fputc(c, out);
  }
  fputc('"', out);
}

static void write_report(FILE *out) {
  fprintf(out, "{\"stopped\": %s, \"stopped_by\": ", stopped ? "true" : "false");
  quote(out, stopped_by);
  fprintf(out, ", \"counts\": {");
#define ONE(n) fprintf(out, "\"" #n "\": %lu, ", (unsigned long)counts.n);
  ONE(blocks) ONE(work) ONE(span) ONE(threads) ONE(groups) ONE(device_load_bytes) ONE(device_store_bytes)
  ONE(device_loads) ONE(device_stores) ONE(shared_loads) ONE(shared_stores) ONE(atomics) ONE(barriers) ONE(simd_ops)
  ONE(device_accesses) ONE(sectors) ONE(shared_accesses) ONE(bank_conflicts)
#undef ONE
  fprintf(out, "\"untraced\": %lu}, \"findings\": [", (unsigned long)counts.untraced);
  bool first = true;
  for (auto &f : findings) {
    fprintf(out, "%s{\"kind\": \"%s\", \"name\": ", first ? "" : ", ", f.kind.c_str());
    quote(out, f.name);
    fprintf(out, ", \"offset\": %ld, \"line\": %u, \"other_line\": %u, \"thread\": %u, \"other_thread\": %u, \"group\": %lu, \"other_group\": %lu, \"a\": %lu, \"b\": %lu, \"count\": %lu}",
            f.offset, f.line, f.other_line, f.thread, f.other_thread, (unsigned long)f.group, (unsigned long)f.other_group,
            (unsigned long)f.a, (unsigned long)f.b, (unsigned long)f.count);
    first = false;
  }
  fprintf(out, "]");
}
