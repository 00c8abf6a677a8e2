// Operands of a batch, as the host passes them (mirrored in src/gpu/args/).
#pragma once

namespace tephra {

// A matrix argument of every member of the batch.
struct Operand {
    void *p;          // array of pointers, or start of member 0
    long long stride; // elements from one member to the next; unused for pointer arrays
    int pointers;     // 1: p is an array of pointers
    int pad;
};

// Member i of a batch at p. `stride` is a reference so that it is read only where it is needed.
template <typename T>
__device__ __forceinline__ T *member(void *p, bool pointers, const long long &stride, long long i) {
    return pointers ? static_cast<T *const *>(p)[i] : static_cast<T *>(p) + i * stride;
}
template <typename T>
__device__ __forceinline__ T *member(const Operand &o, long long i) {
    return member<T>(o.p, o.pointers, o.stride, i);
}

// A matrix of one member: its first element and leading dimension.
template <typename T>
struct Place {
    T *p;
    long long ld;
};

// One launch of the QR family: an m x n block at (at, at) of every matrix; tau starts at `at`. A kernel fetches its
// parameters from memory in lines of 64 bytes, and each line costs about 0.1 us at its start. Fields that all launches
// need therefore come first; they share their line with what the calling convention puts there.
struct GeqrfArgs {
    static constexpr unsigned A_POINTERS = 1, TAU_POINTERS = 2, INFO = 4, FROM = 8, R = 16; // flags

    void *a, *tau; // arrays of pointers if the flag is set, else member 0
    long long lda, batch;
    int m, n, at;
    unsigned flags;

    long long a_stride, tau_stride; // elements from one member to the next
    int *info;                      // set to 0 if the flag is set

    // Used if the flag is set, and only by kernels compiled for it (Instance::outside):
    Operand from, r; // A is read from `from` instead of `a`; R goes to `r`, with zeros below its diagonal
    long long ld_from, ldr;
    long long rows; // of R

    template <typename T>
    __device__ __forceinline__ T *matrix(long long i) const {
        return member<T>(a, flags & A_POINTERS, a_stride, i) + offset();
    }
    // The matrix that A is read from: `from` if the flag is set, else `a`. The code selects where the address is
    // stored, not the address itself, so that nothing waits for a load of a pointer here.
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
    // Offset of the block in its member, in elements.
    __device__ __forceinline__ long long offset() const { return at * (lda + 1); }
    __device__ __forceinline__ void no_error(long long i) const {
        if (flags & INFO) info[i] = 0;
    }
};

// One launch that applies a block reflector H = I - V T V^H to a block D of every matrix: D := H^H D or H D. D is C, or
// C^T if `transposed`, or its conjugate if `conjugate`.
struct LarfbArgs {
    Operand v, tau, t, c;
    long long v0, tau0, t0, c0; // offset of the first element of each from the start of its member
    long long ldv, ldt, ldc, batch;
    long long m, n;     // rows of V and of D, columns of D
    long long k;        // reflectors
    long long tiles;    // clusters that share a matrix; 0: all clusters share all matrices in equal parts
    long long identity; // D's first `identity` columns are taken as the identity's, whatever C holds; they may
                        // overlap V, and are written last
    long long diagonal; // row of the one in the first of those columns
    int zeros;          // rows at the top of D's other columns that are taken as zero, whatever C holds
    int adjoint;        // 1: H^H D, 0: H D
    int transposed, conjugate;
    int given; // 1: T is read, 0: T is formed from V and tau
    int flags; // FROM and R of GeqrfArgs, for geqrf's trailing update
    // Used if the flag is set: C is read from `from` instead of `c`; its first k rows, which belong to R, go to `r`.
    Operand from, r;
    long long ld_from, ldr;
    long long from0, r0; // offset of the first element of each from the start of its member
};

// Forms Q from its reflectors, or factors A = Q R into explicit factors, for small matrices in one launch.
struct QArgs {
    Operand a, tau, q, r; // tau.p may be null if A is factored
    Operand f;            // where matrices outside the range of the fast formulas are factored: Q, R or scratch
    long long lda, ldq, ldr, ldf, batch;
    long long m, n;    // A: m x n
    long long k;       // reflectors
    long long columns; // of Q; 0: Q is not wanted
    long long rows;    // of R
    long long offset;  // q_team and q_strip: first row and column of the reflectors in A, and first index in tau
    int factor;        // 1: A = Q R, 0: A holds the reflectors, which Q overwrites
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
    int diagonal_blocks; // 1: only the nb x nb diagonal blocks of R, side by side
    int separate;        // 1: A's panels keep only V, with a unit diagonal and zeros above
};

} // namespace tephra
