# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Softmax of rows: a warp folds by shuffles, warps fold through shared memory, lanes that do not exist bring nothing."""

SOURCE = """
__device__ float fold_max(float a, float b) { return fmaxf(a, b); }
__device__ float fold_sum(float a, float b) { return a + b; }

template <bool MAXIMUM>
__device__ float block_fold(float value, float* part, int warps)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int lanes = min(32, (int)blockDim.x - 32 * warp);
    unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    for (int step = 16; step > 0; step /= 2) {
        float other = __shfl_sync(mask, value, min(lane + step, lanes - 1));
        if (lane + step < lanes && lane < step) value = MAXIMUM ? fold_max(value, other) : fold_sum(value, other);
    }
    if (lane == 0) part[warp] = value;
    __syncthreads();
    value = part[0];
    for (int w = 1; w < warps; w++) value = MAXIMUM ? fold_max(value, part[w]) : fold_sum(value, part[w]);
    __syncthreads();
    return value;
}

extern "C" __global__ void block_softmax(float* out, const float* x, const int* lengths, int n_cols)
{
    __shared__ float part[32];
    int n = lengths[blockIdx.x], warps = (blockDim.x + 31) / 32;
    const float* row = x + (size_t)blockIdx.x * n_cols;
    float* result = out + (size_t)blockIdx.x * n_cols;

    float top = -INFINITY;
    for (int j = threadIdx.x; j < n; j += blockDim.x) top = fmaxf(top, row[j]);
    top = block_fold<true>(top, part, warps);
    if (top == -INFINITY) top = 0.0f;

    float sum = 0.0f;
    for (int j = threadIdx.x; j < n; j += blockDim.x) sum += expf(row[j] - top);
    sum = block_fold<false>(sum, part, warps);

    for (int j = threadIdx.x; j < n_cols; j += blockDim.x)
        result[j] = j < n && sum > 0.0f ? expf(row[j] - top) / sum : 0.0f;
}
"""
