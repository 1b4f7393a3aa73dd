// What a kernel's program may call of the runtime. The language headers include this; kernels never name it.
#pragma once

typedef unsigned int simt_u32;
typedef unsigned long simt_u64;

#define SIMT_SHARED static __attribute__((section("simt_shared")))
#define SIMT_CONSTANT static __attribute__((section("simt_constant"), used))
#define SIMT_GLOBAL static __attribute__((section("simt_global"), used))
// Header code: not a kernel's own blocks, loads and stores. SIMT_HIDDEN touches memory that is not to be seen; SIMT_QUIET
// works on values alone, and may be inlined where nothing is counted.
#define SIMT_HIDDEN __attribute__((no_sanitize("thread"), no_sanitize("coverage"), no_sanitize("bounds"), noinline))
#ifdef SIMT_FAST
#define SIMT_QUIET __attribute__((always_inline))
#else
#define SIMT_QUIET SIMT_HIDDEN
#endif
#define SIMT_HERE (((simt_u32)__builtin_LINE() << 8) | ((simt_u32)__builtin_COLUMN() & 255u))

struct simt_lanes {
  simt_u32 active;        // lanes that took part
  simt_u32 pad;
  unsigned char value[32][64];
};

extern "C" {
void simt_barrier(simt_u32 flags, simt_u32 site, int predicate) __attribute__((noduplicate));
int simt_barrier_votes(void);  // threads whose predicate held at the barrier just passed
void simt_simd_barrier(simt_u32 flags, simt_u32 site, simt_u32 mask) __attribute__((noduplicate));
const simt_lanes *simt_exchange(const void *value, simt_u32 bytes, simt_u32 site, simt_u32 mask) __attribute__((noduplicate));
void simt_undefined_lane(void *value, simt_u32 bytes, simt_u32 source);
void simt_atomic(const void *p, simt_u32 bytes, int how);  // 0 read and write, 1 read, 2 write
void simt_fence(void);
int simt_spurious(void);
simt_u32 simt_lane(void);
simt_u32 simt_active_subset(void);
void simt_read(const void *p, simt_u32 bytes);
void simt_write(void *p, simt_u32 bytes);
void simt_wide(const void *p, simt_u32 bytes, simt_u32 align, int store);
void simt_returned(void);
void simt_assertion(simt_u32 line);
void *simt_dynamic_shared(void);
// d = 0, 1, 2
simt_u32 simt_thread_in_group(int d);
simt_u32 simt_group_size(int d);      // of this group
simt_u32 simt_group_asked(int d);     // as dispatched
simt_u32 simt_group_in_grid(int d);
simt_u32 simt_groups(int d);
simt_u32 simt_threads(int d);
}
