// Batches of matrices for kernels that run on the host, and a plain elimination to compare with. Include it after the
// header that replaces CUDA.
#pragma once
#include "getrf/args.cuh"
#include "getrf/pivot.cuh"

#include <random>
#include <string>
#include <vector>

using namespace tephra;
namespace {

int failures = 0;
std::mt19937_64 engine(7);

template <typename T>
T random_number() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    using R = Real<T>;
    return make<T>(static_cast<R>(uniform(engine)), static_cast<R>(uniform(engine)));
}
template <typename T>
double distance(T a, T b) {
    return hypot(double(re(a)) - double(re(b)), double(im(a)) - double(im(b)));
}
template <typename T>
double size_of(T a) {
    const double size = fabs(re(a)) + fabs(im(a));
    return size > 0 ? size : 0;
}
template <typename T>
double epsilon() {
    return sizeof(Real<T>) == 4 ? 0x1p-23 : 0x1p-52;
}
template <typename T>
T quotient(T a, T b) {
    if constexpr (is_complex<T>) {
        const long double x = b.x, y = b.y, square = x * x + y * y; // in range as long doubles
        return make<T>(static_cast<Real<T>>((a.x * x + a.y * y) / square),
                       static_cast<Real<T>>((a.y * x - a.x * y) / square));
    } else {
        return a / b;
    }
}

// A batch with room around every matrix, which must not change.
template <typename T>
struct Batch {
    int m, n, ld, count;
    std::vector<T> data;
    int apart = 5; // elements between members
    long long stride() const { return static_cast<long long>(ld) * n + apart; }
    Batch(int m, int n, int count) : m(m), n(n), ld(m + 3), count(count), data(count * (ld * n + 5) + 1) {
        for (T &x : data) x = random_number<T>();
    }
    T *member(int i) { return data.data() + i * stride(); }
    T &at(int i, int r, int c) { return member(i)[r + c * ld]; }
    Operand operand() { return {data.data(), stride(), 0, 0}; }
};

struct Expected {
    std::vector<int> ipiv;
    int info = 0;
};
// least: pivots below it are replaced by it, with their sign, and info counts them. If 0, info is the first zero pivot.
template <typename T>
Expected eliminate(Batch<T> &a, int i, bool search, double least = 0) {
    Expected e;
    const int steps = a.m < a.n ? a.m : a.n;
    for (int k = 0; k < steps; ++k) {
        int p = k;
        for (int r = k + 1; search && r < a.m; ++r)
            if (size_of(a.at(i, r, k)) > size_of(a.at(i, p, k))) p = r;
        e.ipiv.push_back(p + 1);
        for (int c = 0; c < a.n; ++c) std::swap(a.at(i, k, c), a.at(i, p, c));
        T &pivot = a.at(i, k, k);
        if (size_of(pivot) < least) {
            pivot = make<T>(static_cast<Real<T>>(re(pivot) < 0 ? -least : least));
            ++e.info;
        } else if (is_zero(pivot)) {
            e.info = e.info ? e.info : k + 1;
        }
        for (int r = k + 1; r < a.m; ++r) {
            if (!is_zero(pivot)) a.at(i, r, k) = quotient(a.at(i, r, k), pivot);
            for (int c = k + 1; c < a.n; ++c) a.at(i, r, c) = fnma_(a.at(i, r, k), a.at(i, k, c), a.at(i, r, c));
        }
    }
    return e;
}

void report(const std::string &what, bool good) {
    if (!good) {
        ++failures;
        printf("FAILED %s\n", what.c_str());
    }
}

// Ordinary members, except: 2: of half the rank; 3: zeros; 4: elements of equal size; 5: a NaN; 6: tiny elements; 7:
// pivots so large that their reciprocals are subnormal.
template <typename T>
Batch<T> mixed(int m, int n, int count) {
    Batch<T> a(m, n, count);
    for (int r = 0; r < m; ++r)
        for (int c = 0; c < n; ++c) {
            if (count > 2 && c % 2 == 1) a.at(2, r, c) = a.at(2, r, c - 1);
            if (count > 3) a.at(3, r, c) = make<T>(0);
            if (count > 4) a.at(4, r, c) = make<T>(r % 3 == c % 3 ? 1 : -1);
            if (count > 6)
                a.at(6, r, c) = scale(a.at(6, r, c), sizeof(Real<T>) == 4 ? Real<T>(0x1p-130) : Real<T>(0x1p-1030));
            if (count > 7) {
                const Real<T> huge = sizeof(Real<T>) == 4 ? Real<T>(0x1p126f) : Real<T>(0x1p1022);
                const T rest = scale(a.at(7, r, c), huge / (64 * (m > n ? m : n)));
                a.at(7, r, c) = r == c ? add(rest, make<T>(huge, huge / 2)) : rest;
            }
        }
    if (count > 5) a.at(5, m - 1, 0) = make<T>(static_cast<Real<T>>(NAN));
    return a;
}

} // namespace
