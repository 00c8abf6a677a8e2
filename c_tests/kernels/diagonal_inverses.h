// Runs the launch that inverts the diagonal blocks of factors, for tests of the kernels that are given them.
#pragma once
#include "cuda_on_host.h"

#include "getrf/diagonal_inverses.cuh"

TEPHRA_DIAGONAL_INVERSES(diagonals_s, s, 128)
TEPHRA_DIAGONAL_INVERSES(diagonals_d, d, 128)
TEPHRA_DIAGONAL_INVERSES(diagonals_c, c, 128)
TEPHRA_DIAGONAL_INVERSES(diagonals_z, z, 64)

// Inverts the diagonal blocks of all matrices.
template <typename T>
void invert_diagonals(const tephra::DiagonalInversesArgs &args) {
    const int warps = sizeof(T) == 16 ? 2 : 4;
    host::launch(static_cast<int>(args.batch * args.blocks + warps - 1) / warps, 32 * warps, [&] {
        if constexpr (std::is_same_v<T, float>)
            diagonals_s(args);
        else if constexpr (std::is_same_v<T, double>)
            diagonals_d(args);
        else if constexpr (sizeof(T) == 8)
            diagonals_c(args);
        else
            diagonals_z(args);
    });
}
