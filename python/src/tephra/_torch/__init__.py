"""PyTorch's tensors: operators with fake kernels, derivatives and vmap rules, and a short way past them for plain calls."""
