# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Thread 0 does the whole row."""

SOURCE = """
extern "C" __global__ void block_softmax(float* out, const float* x, const int* lengths, int n_cols)
{
    int n = lengths[blockIdx.x];
    const float* row = x + (size_t)blockIdx.x * n_cols;
    float* result = out + (size_t)blockIdx.x * n_cols;
    if (threadIdx.x != 0) return;
    float top = -INFINITY, sum = 0.0f;
    for (int j = 0; j < n; j++) top = fmaxf(top, row[j]);
    if (top == -INFINITY) top = 0.0f;
    for (int j = 0; j < n; j++) sum += expf(row[j] - top);
    for (int j = 0; j < n_cols; j++) result[j] = j < n && sum > 0.0f ? expf(row[j] - top) / sum : 0.0f;
}
"""
