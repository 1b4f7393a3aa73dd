# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Every thread does the whole row."""

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
    device const float* x = logits + ulong(row) * n_cols;
    float top = -INFINITY;
    for (uint j = 0; j < n_cols; ++j) top = max(top, x[j]);
    float sum = 0.0f;
    for (uint j = 0; j < n_cols; ++j) sum += exp(x[j] - top);
    if (tid == 0) out[row] = log(sum) - (x[targets[row]] - top);
}
"""
