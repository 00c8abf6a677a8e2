//! Generators, ratios, guarded buffers and sweeps, over the library loaded at run time.
