// Batches of Hermitian matrices for kernels that run on the host, and a plain factorisation to compare with. Include it
// after the header that replaces CUDA.
#pragma once
#include "lu_case.h"
#include "exact.h"
#include "potrf/args.cuh"

namespace {

// A Hermitian matrix in one triangle of a batch's member; the other triangle must not be read or written.
template <typename T>
struct Triangle {
    Batch<T> &batch;
    int i;
    bool upper;

    T &at(int r, int c) const { return upper ? batch.at(i, c, r) : batch.at(i, r, c); } // (r, c) of L, r >= c
    Exact get(int r, int c) const {
        const Exact x = exact(at(r, c));
        return upper ? std::conj(x) : x;
    }
    void set(int r, int c, Exact x) const {
        using R = Real<T>;
        at(r, c) = make<T>(static_cast<R>(x.real()), static_cast<R>(upper ? -x.imag() : x.imag()));
    }
};

// Positive definite members, with exceptions: 1: the minor of order `bad` is not; 2: a NaN; 3: tiny; 4: huge; 5: graded
// rows; 7: as large as possible.
template <typename T>
Batch<T> definite(int n, int count, bool upper, int bad) {
    Batch<T> a(n, n, count);
    for (int i = 0; i < count; ++i) {
        std::vector<Exact> g(n * n);
        for (Exact &x : g) x = exact(random_number<T>());
        const Triangle<T> t = {a, i, upper};
        const auto grade = [&](int r) -> long double { return i == 5 ? powl(2, -(r * 7 % 5) * 3) : 1; };
        const long double unit = sizeof(Real<T>) == 4 ? 126 : 1022;
        const long double all = i == 3 ? powl(2, -unit) : i == 4 ? powl(2, unit - 7) / n : 1;
        for (int c = 0; c < n; ++c)
            for (int r = 0; r < n; ++r) {
                if (r < c) { // the other triangle
                    t.at(r, c) = make<T>(static_cast<Real<T>>(NAN), 7);
                    continue;
                }
                Exact sum = r == c ? 1 : 0;
                for (int k = 0; k < n; ++k) sum += g[r + k * n] * std::conj(g[c + k * n]);
                t.set(r, c, sum * grade(r) * grade(c) * all);
                if (r == c && is_complex<T>) t.set(r, c, {t.get(r, c).real(), 3}); // must be ignored
            }
        if (i == 7) {
            long double most = 0;
            for (int r = 0; r < n; ++r) most = fmaxl(most, t.get(r, r).real());
            for (int c = 0; c < n; ++c)
                for (int r = c; r < n; ++r) t.set(r, c, t.get(r, c) / most * powl(2, unit + 1) * 1.9L);
        }
        if (i == 1) t.set(bad - 1, bad - 1, bad % 2 ? Exact(0) : -t.get(bad - 1, bad - 1));
        if (i == 2) t.set(n - 1, n > 1 ? n / 2 : 0, static_cast<long double>(NAN));
    }
    return a;
}

// Computes L; returns info.
template <typename T>
int cholesky(const Triangle<T> &t, int n, std::vector<Exact> &l) {
    l.assign(n * n, 0);
    for (int k = 0; k < n; ++k) {
        long double pivot = t.get(k, k).real();
        for (int j = 0; j < k; ++j) pivot -= std::norm(l[k + j * n]);
        l[k + k * n] = pivot;
        if (!(pivot > 0)) return k + 1;
        const long double root = sqrtl(pivot);
        l[k + k * n] = root;
        for (int r = k + 1; r < n; ++r) {
            Exact x = t.get(r, k);
            for (int j = 0; j < k; ++j) x -= l[r + j * n] * std::conj(l[k + j * n]);
            l[r + k * n] = x / root;
        }
    }
    return 0;
}

// The same batch with a leading dimension and a stride that are multiples of whole vectors.
template <typename T>
Batch<T> widened(Batch<T> &a) {
    Batch<T> wide(a.m, a.n, a.count);
    wide.ld = (a.m + 7) / 8 * 8, wide.apart = 8;
    wide.data.assign(a.count * wide.stride(), make<T>(5));
    for (int i = 0; i < a.count; ++i)
        for (int r = 0; r < a.m; ++r)
            for (int c = 0; c < a.n; ++c) wide.at(i, r, c) = a.at(i, r, c);
    return wide;
}

// Whether nothing outside the matrices has changed.
template <typename T>
bool outside_same(Batch<T> &now, Batch<T> &before) {
    bool same = true;
    for (int i = 0; i < now.count; ++i)
        for (long long e = 0; e < now.stride(); ++e)
            if (e >= static_cast<long long>(now.ld) * now.n || e % now.ld >= now.m)
                same &= memcmp(now.member(i) + e, before.member(i) + e, sizeof(T)) == 0;
    return same;
}

// Whether nothing outside the triangles has changed.
template <typename T>
bool only_triangles(Batch<T> &now, Batch<T> &before, bool upper) {
    bool same = true;
    for (int i = 0; i < now.count; ++i)
        for (long long e = 0; e < now.stride(); ++e) {
            const long long r = e % now.ld, c = e / now.ld;
            if (c < now.n && r < now.m && (upper ? r <= c : r >= c)) continue;
            same &= memcmp(now.member(i) + e, before.member(i) + e, sizeof(T)) == 0;
        }
    return same;
}

constexpr int count = 8;

CholeskyArgs arguments(Operand a, int *info, int lda, int n, bool upper) {
    CholeskyArgs args = {};
    args.a = a, args.info = info, args.lda = lda, args.batch = count, args.n = n, args.upper = upper, args.tiles = 1;
    return args;
}
std::string name_of(const char *name, int n, bool upper, int i) {
    return std::string(name) + (upper ? " upper " : " lower ") + std::to_string(n) + " member " + std::to_string(i);
}

// The phase by which column c of a complex factor is multiplied, in every other member: its diagonal is then not real,
// but it is still a factor of the same matrix.
template <typename T>
Exact turn(int i, int c) {
    return is_complex<T> && i % 2 == 0 && c % 3 != 1 ? std::polar<long double>(1, 1 + c) : Exact(1);
}

} // namespace
