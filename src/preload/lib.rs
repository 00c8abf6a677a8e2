//! The cuBLAS names served under `LD_PRELOAD`, and nothing else.
