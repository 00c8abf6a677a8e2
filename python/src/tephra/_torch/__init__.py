"""PyTorch tensors: operators with fake kernels, derivatives and vmap rules, and a fast path that bypasses them."""
