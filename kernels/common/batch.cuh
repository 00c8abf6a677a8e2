// Operands of a batch, as the host passes them (mirrored in src/gpu/args/).
#pragma once

namespace tephra {

struct Operand {
    void *p;          // pointer array, or start of member 0
    long long stride; // elements from one member to the next; unused for pointer arrays
    int pointers;     // 1: p is an array of pointers
    int pad;
};

// Member i of a batch at p; `stride` is read only where it is needed.
template <typename T>
__device__ __forceinline__ T *member(void *p, bool pointers, const long long &stride, long long i) {
    return pointers ? static_cast<T *const *>(p)[i] : static_cast<T *>(p) + i * stride;
}
template <typename T>
__device__ __forceinline__ T *member(const Operand &o, long long i) {
    return member<T>(o.p, o.pointers, o.stride, i);
}

// A matrix in memory.
template <typename T>
struct Place {
    T *p;
    long long ld;
};

// One launch of the QR family: an m x n block at (at, at) of every matrix; tau starts at `at`.
// A kernel finds its parameters in memory when it starts, 64 bytes at a time, and waits a tenth of a microsecond for
// each: what all launches need comes first, and shares its 64 bytes with what the hardware's convention puts there.
struct GeqrfArgs {
    static constexpr unsigned A_POINTERS = 1, TAU_POINTERS = 2, INFO = 4, FROM = 8, R = 16; // flags

    void *a, *tau; // arrays of pointers by flag, else member 0
    long long lda, batch;
    int m, n, at;
    unsigned flags;

    long long a_stride, tau_stride; // elements from one member to the next
    int *info;                      // set to 0, by flag

    // By flag, and only for kernels that are made for it (Instance::outside):
    Operand from, r; // where A is read in place of `a`; where R goes, with zeros below its diagonal
    long long ld_from, ldr;
    long long rows; // of R

    template <typename T>
    __device__ __forceinline__ T *matrix(long long i) const {
        return member<T>(a, flags & A_POINTERS, a_stride, i) + offset();
    }
    // What is read as A: the matrix, unless flags say otherwise. What is chosen is where its address is, not the
    // address, which nobody is to wait for yet.
    template <typename T>
    __device__ __forceinline__ Place<T> source(long long i) const {
        void *p = a;
        long long stride = a_stride, ld = lda;
        bool pointers = flags & A_POINTERS;
        if (flags & FROM) {
            p = from.p;
            stride = from.stride;
            ld = ld_from;
            pointers = from.pointers;
        }
        return {member<T>(p, pointers, stride, i) + at * (ld + 1), ld};
    }
    template <typename T>
    __device__ __forceinline__ Place<T> r_place(long long i) const {
        return {member<T>(r, i) + at * (ldr + 1), ldr};
    }
    template <typename T>
    __device__ __forceinline__ T *taus(long long i) const {
        return member<T>(tau, flags & TAU_POINTERS, tau_stride, i) + at;
    }
    // Of the block in a member
    __device__ __forceinline__ long long offset() const { return at * (lda + 1); }
    __device__ __forceinline__ void no_error(long long i) const {
        if (flags & INFO) info[i] = 0;
    }
};

// One launch of a block reflector H = I - V T V^H on a block D of every matrix: D := H^H D or H D.
// D is C, or C^T where `transposed`, or its conjugate.
struct LarfbArgs {
    Operand v, tau, t, c;
    long long v0, tau0, t0, c0; // first element of each, from the member's start
    long long ldv, ldt, ldc, batch;
    long long m, n;     // rows of V and of D, columns of D
    long long k;        // reflectors
    long long tiles;    // clusters that share a matrix; 0: all clusters share all matrices in equal parts
    long long identity; // D's first columns, as many, are those of the identity whatever C holds; they may be V's own,
                        // and are written last
    long long diagonal; // row in which the first of them has its one
    int zeros;          // rows at the top of D's other columns that are zero whatever C holds
    int adjoint;        // 1: H^H D, 0: H D
    int transposed, conjugate;
    int given; // 1: T is read, 0: formed from V and tau
    int flags; // geqrf's trailing update: as GeqrfArgs::flags has FROM and R
    // By flag: where C is read in place of `c`; where its first k rows go, which are R's.
    Operand from, r;
    long long ld_from, ldr;
    long long from0, r0; // first element of each, from the member's start
};

// Q from its reflectors, or A = Q R with explicit factors, of small matrices in one launch.
struct QArgs {
    Operand a, tau, q, r; // tau.p may be null where A is factored
    Operand f;            // where matrices are factored that the short formulas do not cover: Q, R or scratch
    long long lda, ldq, ldr, ldf, batch;
    long long m, n;    // A: m x n
    long long k;       // reflectors
    long long columns; // of Q; 0: not wanted
    long long rows;    // of R
    long long offset;  // q_team and q_strip: first row and column of A, and first of tau, where the reflectors are
    int factor;        // 1: A = Q R, 0: A holds the reflectors, in place of which Q goes
    int pad;
};

struct CopyArgs {
    Operand from, to;
    long long ld_from, ld_to, batch;
    long long rows, columns;
    int triangle; // 1: zeros below the diagonal
    int pad;
};

struct ExtractArgs {
    GeqrfArgs qr;
    Operand r, t;
    long long ldr, ldt, nb;
    int diagonal_blocks; // 1: only nb x nb blocks of R, side by side
    int separate;        // 1: A's panels keep only V, with a unit diagonal and zeros above
};

} // namespace tephra
