"""Cross-entropy of rows in one Metal kernel."""

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
    // to be written
}
"""
