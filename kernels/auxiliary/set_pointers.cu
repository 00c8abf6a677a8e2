// out[i] = base + i * stride: MAGMA's set_pointer, for any element type.
extern "C" __global__ void __launch_bounds__(256)
    set_pointers(void **out, char *base, long long stride_bytes, long long batch) {
    for (long long i = blockIdx.x * 256ll + threadIdx.x; i < batch; i += gridDim.x * 256ll)
        out[i] = base + i * stride_bytes;
}
