# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Cross-entropy of rows: two folds through one array of partial results (Milakov and Gimelshein 2018 for the shift)."""

SOURCE = """
#include <metal_stdlib>
using namespace metal;

kernel void cross_entropy_rows(
    device float* out             [[buffer(0)]],
    device const float* logits    [[buffer(1)]],
    device const int* targets     [[buffer(2)]],
    constant uint& n_cols         [[buffer(3)]],
    uint tid [[thread_position_in_threadgroup]],
    uint row [[threadgroup_position_in_grid]],
    uint tpg [[threads_per_threadgroup]])
{
    threadgroup float part[1024];
    device const float* x = logits + ulong(row) * n_cols;

    float top = -INFINITY;
    for (uint j = tid; j < n_cols; j += tpg) top = max(top, x[j]);
    part[tid] = top;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint n = tpg; n > 1;) {
        uint keep = (n + 1) / 2;
        if (tid + keep < n) part[tid] = max(part[tid], part[tid + keep]);
        threadgroup_barrier(mem_flags::mem_threadgroup);
        n = keep;
    }
    top = part[0];
    threadgroup_barrier(mem_flags::mem_threadgroup);

    float sum = 0.0f;
    for (uint j = tid; j < n_cols; j += tpg) sum += exp(x[j] - top);
    part[tid] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint n = tpg; n > 1;) {
        uint keep = (n + 1) / 2;
        if (tid + keep < n) part[tid] += part[tid + keep];
        threadgroup_barrier(mem_flags::mem_threadgroup);
        n = keep;
    }
    if (tid == 0) out[row] = log(part[0]) - (x[targets[row]] - top);
}
"""
