//! Every exported symbol of `libtephra.so`, and nothing else.
