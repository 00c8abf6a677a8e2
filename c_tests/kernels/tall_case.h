// A plain QR factorisation for the tests of kernels for tall panels.
#pragma once
#include "lu_case.h"

namespace {

// LAPACK geqr2 of an m x n matrix.
template <typename T>
void factor(T *a, long long lda, T *tau, int m, int n) {
    using R = Real<T>;
    for (int k = 0; k < m && k < n; ++k) {
        T *const x = a + k * lda;
        R sum = 0;
        for (int r = k + 1; r < m; ++r) sum = abs2_add(x[r], sum);
        if (sum == 0 && im(x[k]) == 0) {
            tau[k] = make<T>(0);
            continue;
        }
        const R beta = -std::copysign(std::sqrt(abs2_add(x[k], sum)), re(x[k]));
        const T alpha = x[k], factor = quotient(make<T>(1), add(alpha, make<T>(-beta)));
        tau[k] = scale(add(make<T>(beta), scale(alpha, R(-1))), 1 / beta);
        x[k] = make<T>(beta);
        for (int r = k + 1; r < m; ++r) x[r] = mul(x[r], factor);
        for (int j = k + 1; j < n; ++j) {
            T *const y = a + j * lda, dot = y[k];
            for (int r = k + 1; r < m; ++r) dot = cfma_(x[r], y[r], dot);
            dot = mul(conj(tau[k]), dot);
            y[k] = add(y[k], scale(dot, R(-1)));
            for (int r = k + 1; r < m; ++r) y[r] = fnma_(x[r], dot, y[r]);
        }
    }
}

} // namespace
