/* Tephra: the MAGMA names that libtephra.so exports, with MAGMA's types, constants and macros. C99 and later, C++11 and
 * later, LP64.
 *
 * A program written for <magma_v2.h> compiles with this file in its place if it keeps to the names below. The link
 * names of set, get, copy, queue and free are the *_internal ones; the names that programs use are macros and inline
 * functions around them, as in MAGMA. docs/symbols.md says what is served and where Tephra differs.
 *
 * Where the compiler finds MAGMA's own <magma_v2.h> (and what that needs of CUDA), this file includes it and adds only
 * what MAGMA has not, so that both may be included in any order; with TEPHRA_OWN_DECLARATIONS defined it does not look
 * for it.
 */
#ifndef TEPHRA_MAGMA_H
#define TEPHRA_MAGMA_H

#if !defined(MAGMA_TYPES_H) && !defined(TEPHRA_OWN_DECLARATIONS) && defined(__has_include)
#if __has_include(<magma_v2.h>) && __has_include(<cublas_v2.h>) && __has_include(<cusparse_v2.h>)
#include <magma_v2.h>
#endif
#endif

#if defined(MAGMA_ILP64) || defined(MKL_ILP64)
#error "Tephra's MAGMA interface is LP64: magma_int_t is int"
#endif

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "tephra_cublas.h" /* adds nothing where NVIDIA's <cublas_v2.h> is */

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MAGMA_TYPES_H

/* ---- types ---- */

typedef int magma_int_t;
typedef int magma_index_t;
typedef unsigned int magma_uindex_t;
typedef double real_Double_t;
typedef magma_int_t magma_device_t;

struct magma_queue;
typedef struct magma_queue *magma_queue_t;
typedef struct CUevent_st *magma_event_t;
#ifndef CUSPARSE_H_
struct cusparseContext;
typedef struct cusparseContext *cusparseHandle_t;
#endif

typedef short magmaHalf; /* the bits of a half-precision number */
typedef cuFloatComplex magmaFloatComplex;
typedef cuDoubleComplex magmaDoubleComplex;

typedef void *magma_ptr;
typedef magma_int_t *magmaInt_ptr;
typedef magma_index_t *magmaIndex_ptr;
typedef magma_uindex_t *magmaUIndex_ptr;
typedef magmaHalf *magmaHalf_ptr;
typedef float *magmaFloat_ptr;
typedef double *magmaDouble_ptr;
typedef magmaFloatComplex *magmaFloatComplex_ptr;
typedef magmaDoubleComplex *magmaDoubleComplex_ptr;

typedef void const *magma_const_ptr;
typedef magma_int_t const *magmaInt_const_ptr;
typedef magma_index_t const *magmaIndex_const_ptr;
typedef magma_uindex_t const *magmaUIndex_const_ptr;
typedef magmaHalf const *magmaHalf_const_ptr;
typedef float const *magmaFloat_const_ptr;
typedef double const *magmaDouble_const_ptr;
typedef magmaFloatComplex const *magmaFloatComplex_const_ptr;
typedef magmaDoubleComplex const *magmaDoubleComplex_const_ptr;

/* ---- versions and return codes ---- */

/* The interface is 2.10's; PyTorch refuses to build against a minor version of two digits. */
#define MAGMA_VERSION_MAJOR 2
#define MAGMA_VERSION_MINOR 9
#define MAGMA_VERSION_MICRO 0
#define MAGMA_VERSION_STAGE "tephra"
#define MAGMA_API 2
/* As in MAGMA's builds for CUDA. Without it some programs say that MAGMA supports no GPU. */
#ifndef MAGMA_HAVE_CUDA
#define MAGMA_HAVE_CUDA
#endif
#define MagmaMaxGPUs 8
#define MagmaMaxAccelerators 8
#define MagmaMaxSubs 16
#define MagmaBigTileSize 1000000

#define MAGMA_SUCCESS 0
#define MAGMA_ERR -100
#define MAGMA_ERR_NOT_INITIALIZED -101
#define MAGMA_ERR_REINITIALIZED -102
#define MAGMA_ERR_NOT_SUPPORTED -103
#define MAGMA_ERR_ILLEGAL_VALUE -104
#define MAGMA_ERR_NOT_FOUND -105
#define MAGMA_ERR_ALLOCATION -106
#define MAGMA_ERR_INTERNAL_LIMIT -107
#define MAGMA_ERR_UNALLOCATED -108
#define MAGMA_ERR_FILESYSTEM -109
#define MAGMA_ERR_UNEXPECTED -110
#define MAGMA_ERR_SEQUENCE_FLUSHED -111
#define MAGMA_ERR_HOST_ALLOC -112
#define MAGMA_ERR_DEVICE_ALLOC -113
#define MAGMA_ERR_CUDASTREAM -114
#define MAGMA_ERR_INVALID_PTR -115
#define MAGMA_ERR_UNKNOWN -116
#define MAGMA_ERR_NOT_IMPLEMENTED -117
#define MAGMA_ERR_NAN -118
#define MAGMA_SLOW_CONVERGENCE -201
#define MAGMA_DIVERGENCE -202
#define MAGMA_NONSPD -203
#define MAGMA_ERR_BADPRECOND -204
#define MAGMA_NOTCONVERGED -205
#define MAGMA_ERR_CUSPARSE -3000
#define MAGMA_ERR_CUSPARSE_NOT_INITIALIZED -3001
#define MAGMA_ERR_CUSPARSE_ALLOC_FAILED -3002
#define MAGMA_ERR_CUSPARSE_INVALID_VALUE -3003
#define MAGMA_ERR_CUSPARSE_ARCH_MISMATCH -3004
#define MAGMA_ERR_CUSPARSE_MAPPING_ERROR -3005
#define MAGMA_ERR_CUSPARSE_EXECUTION_FAILED -3006
#define MAGMA_ERR_CUSPARSE_INTERNAL_ERROR -3007
#define MAGMA_ERR_CUSPARSE_MATRIX_TYPE_NOT_SUPPORTED -3008
#define MAGMA_ERR_CUSPARSE_ZERO_PIVOT -3009

/* ---- constants, numbered as in CBLAS and PLASMA ---- */

typedef enum { MagmaFalse = 0, MagmaTrue = 1 } magma_bool_t;
typedef enum { MagmaRowMajor = 101, MagmaColMajor = 102 } magma_order_t;
typedef enum { MagmaNoTrans = 111, MagmaTrans = 112, MagmaConjTrans = 113, Magma_ConjTrans = 113 } magma_trans_t;
typedef enum { MagmaUpper = 121, MagmaLower = 122, MagmaFull = 123, MagmaHessenberg = 124 } magma_uplo_t;
typedef magma_uplo_t magma_type_t;
typedef enum { MagmaNonUnit = 131, MagmaUnit = 132 } magma_diag_t;
typedef enum { MagmaLeft = 141, MagmaRight = 142, MagmaBothSides = 143 } magma_side_t;
typedef enum {
    MagmaOneNorm = 171,
    MagmaRealOneNorm = 172,
    MagmaTwoNorm = 173,
    MagmaFrobeniusNorm = 174,
    MagmaInfNorm = 175,
    MagmaRealInfNorm = 176,
    MagmaMaxNorm = 177,
    MagmaRealMaxNorm = 178
} magma_norm_t;
typedef enum { MagmaDistUniform = 201, MagmaDistSymmetric = 202, MagmaDistNormal = 203 } magma_dist_t;
typedef enum { MagmaHermGeev = 241, MagmaHermPoev = 242, MagmaNonsymPosv = 243, MagmaSymPosv = 244 } magma_sym_t;
typedef enum {
    MagmaNoPacking = 291,
    MagmaPackSubdiag = 292,
    MagmaPackSupdiag = 293,
    MagmaPackColumn = 294,
    MagmaPackRow = 295,
    MagmaPackLowerBand = 296,
    MagmaPackUpeprBand = 297,
    MagmaPackAll = 298
} magma_pack_t;
typedef enum {
    MagmaNoVec = 301,
    MagmaVec = 302,
    MagmaIVec = 303,
    MagmaAllVec = 304,
    MagmaSomeVec = 305,
    MagmaOverwriteVec = 306,
    MagmaBacktransVec = 307
} magma_vec_t;
typedef enum { MagmaRangeAll = 311, MagmaRangeV = 312, MagmaRangeI = 313 } magma_range_t;
typedef enum { MagmaQ = 322, MagmaP = 323 } magma_vect_t;
typedef enum { MagmaForward = 391, MagmaBackward = 392 } magma_direct_t;
typedef enum { MagmaColumnwise = 401, MagmaRowwise = 402 } magma_storev_t;
typedef enum { MagmaHybrid = 701, MagmaNative = 702 } magma_mode_t;
#define Magma2lapack_Min MagmaFalse
#define Magma2lapack_Max MagmaRowwise

/* The constants as arguments of Fortran's BLAS and LAPACK, which look at the first letter. */
#define MagmaRowMajorStr "Row"
#define MagmaColMajorStr "Col"
#define MagmaNoTransStr "NoTrans"
#define MagmaTransStr "Trans"
#define MagmaConjTransStr "ConjTrans"
#define Magma_ConjTransStr "ConjTrans"
#define MagmaUpperStr "Upper"
#define MagmaLowerStr "Lower"
#define MagmaFullStr "Full"
#define MagmaNonUnitStr "NonUnit"
#define MagmaUnitStr "Unit"
#define MagmaLeftStr "Left"
#define MagmaRightStr "Right"
#define MagmaBothSidesStr "Both"
#define MagmaOneNormStr "1"
#define MagmaTwoNormStr "2"
#define MagmaFrobeniusNormStr "Fro"
#define MagmaInfNormStr "Inf"
#define MagmaMaxNormStr "Max"
#define MagmaForwardStr "Forward"
#define MagmaBackwardStr "Backward"
#define MagmaColumnwiseStr "Columnwise"
#define MagmaRowwiseStr "Rowwise"
#define MagmaNoVecStr "NoVec"
#define MagmaVecStr "Vec"
#define MagmaIVecStr "IVec"
#define MagmaAllVecStr "All"
#define MagmaSomeVecStr "Some"
#define MagmaOverwriteVecStr "Overwrite"

/* The constants as LAPACK's words ("Upper"), "" for a number that is none. */
const char *lapack_const_str(int magma_const);

/* One kind of constant: from LAPACK's letter, to LAPACK's word, to LAPACKE's letter. */
#define TEPHRA_MAGMA_CONSTANT(kind)                                                                                    \
    magma_##kind##_t magma_##kind##_const(char lapack_char);                                                           \
    const char *lapack_##kind##_const(magma_##kind##_t magma_const);                                                   \
    static inline char lapacke_##kind##_const(magma_##kind##_t magma_const) {                                          \
        return *lapack_##kind##_const(magma_const);                                                                    \
    }
TEPHRA_MAGMA_CONSTANT(bool)
TEPHRA_MAGMA_CONSTANT(order)
TEPHRA_MAGMA_CONSTANT(trans)
TEPHRA_MAGMA_CONSTANT(uplo)
TEPHRA_MAGMA_CONSTANT(diag)
TEPHRA_MAGMA_CONSTANT(side)
TEPHRA_MAGMA_CONSTANT(norm)
TEPHRA_MAGMA_CONSTANT(dist)
TEPHRA_MAGMA_CONSTANT(sym)
TEPHRA_MAGMA_CONSTANT(pack)
TEPHRA_MAGMA_CONSTANT(vec)
TEPHRA_MAGMA_CONSTANT(range)
TEPHRA_MAGMA_CONSTANT(vect)
TEPHRA_MAGMA_CONSTANT(direct)
TEPHRA_MAGMA_CONSTANT(storev)
#undef TEPHRA_MAGMA_CONSTANT
static inline char lapacke_const(int magma_const) { return *lapack_const_str(magma_const); }

cublasOperation_t cublas_trans_const(magma_trans_t trans);
cublasFillMode_t cublas_uplo_const(magma_uplo_t uplo);
cublasDiagType_t cublas_diag_const(magma_diag_t diag);
cublasSideMode_t cublas_side_const(magma_side_t side);
#define magma_backend_trans_const cublas_trans_const
#define magma_backend_uplo_const cublas_uplo_const
#define magma_backend_diag_const cublas_diag_const
#define magma_backend_side_const cublas_side_const

#if defined(HAVE_CBLAS)
#include <cblas.h>
enum CBLAS_ORDER cblas_order_const(magma_order_t order);
enum CBLAS_TRANSPOSE cblas_trans_const(magma_trans_t trans);
enum CBLAS_UPLO cblas_uplo_const(magma_uplo_t uplo);
enum CBLAS_DIAG cblas_diag_const(magma_diag_t diag);
enum CBLAS_SIDE cblas_side_const(magma_side_t side);
#endif

/* ---- numbers ---- */

#define MAGMA_Z_MAKE(r, i) make_cuDoubleComplex(r, i)
#define MAGMA_Z_REAL(a) (a).x
#define MAGMA_Z_IMAG(a) (a).y
#define MAGMA_Z_ADD(a, b) cuCadd(a, b)
#define MAGMA_Z_SUB(a, b) cuCsub(a, b)
#define MAGMA_Z_MUL(a, b) cuCmul(a, b)
#define MAGMA_Z_DIV(a, b) cuCdiv(a, b)
#define MAGMA_Z_ABS(a) cuCabs(a)
#define MAGMA_Z_ABS1(a) (fabs((a).x) + fabs((a).y))
#define MAGMA_Z_CONJ(a) cuConj(a)
#define MAGMA_Z_EQUAL(a, b) ((a).x == (b).x && (a).y == (b).y)
#define MAGMA_Z_NEGATE(a) MAGMA_Z_MAKE(-(a).x, -(a).y)
#define magmaCfma cuCfma

#define MAGMA_C_MAKE(r, i) make_cuFloatComplex(r, i)
#define MAGMA_C_REAL(a) (a).x
#define MAGMA_C_IMAG(a) (a).y
#define MAGMA_C_ADD(a, b) cuCaddf(a, b)
#define MAGMA_C_SUB(a, b) cuCsubf(a, b)
#define MAGMA_C_MUL(a, b) cuCmulf(a, b)
#define MAGMA_C_DIV(a, b) cuCdivf(a, b)
#define MAGMA_C_ABS(a) cuCabsf(a)
#define MAGMA_C_ABS1(a) (fabsf((a).x) + fabsf((a).y))
#define MAGMA_C_CONJ(a) cuConjf(a)
#define MAGMA_C_EQUAL(a, b) ((a).x == (b).x && (a).y == (b).y)
#define MAGMA_C_NEGATE(a) MAGMA_C_MAKE(-(a).x, -(a).y)
#define magmaCfmaf cuCfmaf

#define MAGMA_D_MAKE(r, i) (r)
#define MAGMA_D_REAL(x) (x)
#define MAGMA_D_IMAG(x) (0.0)
#define MAGMA_D_ADD(a, b) ((a) + (b))
#define MAGMA_D_SUB(a, b) ((a) - (b))
#define MAGMA_D_MUL(a, b) ((a) * (b))
#define MAGMA_D_DIV(a, b) ((a) / (b))
#define MAGMA_D_ABS(a) ((a) > 0 ? (a) : -(a))
#define MAGMA_D_ABS1(a) ((a) > 0 ? (a) : -(a))
#define MAGMA_D_CONJ(a) (a)
#define MAGMA_D_EQUAL(a, b) ((a) == (b))
#define MAGMA_D_NEGATE(a) (-(a))

#define MAGMA_S_MAKE(r, i) (r)
#define MAGMA_S_REAL(x) (x)
#define MAGMA_S_IMAG(x) (0.0)
#define MAGMA_S_ADD(a, b) ((a) + (b))
#define MAGMA_S_SUB(a, b) ((a) - (b))
#define MAGMA_S_MUL(a, b) ((a) * (b))
#define MAGMA_S_DIV(a, b) ((a) / (b))
#define MAGMA_S_ABS(a) ((a) > 0 ? (a) : -(a))
#define MAGMA_S_ABS1(a) ((a) > 0 ? (a) : -(a))
#define MAGMA_S_CONJ(a) (a)
#define MAGMA_S_EQUAL(a, b) ((a) == (b))
#define MAGMA_S_NEGATE(a) (-(a))

#define MAGMA_Z_ZERO MAGMA_Z_MAKE(0.0, 0.0)
#define MAGMA_Z_ONE MAGMA_Z_MAKE(1.0, 0.0)
#define MAGMA_Z_HALF MAGMA_Z_MAKE(0.5, 0.0)
#define MAGMA_Z_NEG_ONE MAGMA_Z_MAKE(-1.0, 0.0)
#define MAGMA_Z_NEG_HALF MAGMA_Z_MAKE(-0.5, 0.0)

#define MAGMA_C_ZERO MAGMA_C_MAKE(0.0f, 0.0f)
#define MAGMA_C_ONE MAGMA_C_MAKE(1.0f, 0.0f)
#define MAGMA_C_HALF MAGMA_C_MAKE(0.5f, 0.0f)
#define MAGMA_C_NEG_ONE MAGMA_C_MAKE(-1.0f, 0.0f)
#define MAGMA_C_NEG_HALF MAGMA_C_MAKE(-0.5f, 0.0f)

#define MAGMA_D_ZERO (0.0)
#define MAGMA_D_ONE (1.0)
#define MAGMA_D_HALF (0.5)
#define MAGMA_D_NEG_ONE (-1.0)
#define MAGMA_D_NEG_HALF (-0.5)

#define MAGMA_S_ZERO (0.0)
#define MAGMA_S_ONE (1.0)
#define MAGMA_S_HALF (0.5)
#define MAGMA_S_NEG_ONE (-1.0)
#define MAGMA_S_NEG_HALF (-0.5)

#ifndef CBLAS_SADDR
#define CBLAS_SADDR(a) &(a)
#endif

extern const float MAGMA_S_NAN;
extern const float MAGMA_S_INF;
extern const double MAGMA_D_NAN;
extern const double MAGMA_D_INF;
extern const magmaFloatComplex MAGMA_C_NAN;
extern const magmaFloatComplex MAGMA_C_INF;
extern const magmaDoubleComplex MAGMA_Z_NAN;
extern const magmaDoubleComplex MAGMA_Z_INF;
int magma_s_isnan(float x);
int magma_s_isinf(float x);
int magma_s_isnan_inf(float x);
int magma_d_isnan(double x);
int magma_d_isinf(double x);
int magma_d_isnan_inf(double x);
int magma_c_isnan(magmaFloatComplex x);
int magma_c_isinf(magmaFloatComplex x);
int magma_c_isnan_inf(magmaFloatComplex x);
int magma_z_isnan(magmaDoubleComplex x);
int magma_z_isinf(magmaDoubleComplex x);
int magma_z_isnan_inf(magmaDoubleComplex x);

/* A size of workspace as the least number of the type that is not below it. */
float magma_smake_lwork(magma_int_t lwork);
double magma_dmake_lwork(magma_int_t lwork);
magmaFloatComplex magma_cmake_lwork(magma_int_t lwork);
magmaDoubleComplex magma_zmake_lwork(magma_int_t lwork);

magmaFloatComplex magma_csqrt(magmaFloatComplex x);
magmaDoubleComplex magma_zsqrt(magmaDoubleComplex x);
static inline float magma_ssqrt(float x) { return sqrtf(x); }
static inline double magma_dsqrt(double x) { return sqrt(x); }

/* ---- system ---- */

magma_int_t magma_init(void);
magma_int_t magma_finalize(void);
void magma_version(magma_int_t *major, magma_int_t *minor, magma_int_t *micro);
void magma_print_environment(void);
real_Double_t magma_wtime(void);
real_Double_t magma_sync_wtime(magma_queue_t queue);
void magma_xerbla(const char *name, magma_int_t info);
const char *magma_strerror(magma_int_t error);
size_t magma_strlcpy(char *dst, const char *src, size_t size);
void magma_indices_1D_bcyclic(magma_int_t nb, magma_int_t ngpu, magma_int_t dev, magma_int_t j0, magma_int_t j1,
                              magma_int_t *dj0, magma_int_t *dj1);
magma_int_t magma_get_lapack_numthreads(void);
void magma_set_lapack_numthreads(magma_int_t numthreads);
magma_int_t magma_get_omp_numthreads(void);
void magma_set_omp_numthreads(magma_int_t numthreads);
magma_int_t magma_get_parallel_numthreads(void);

static inline magma_int_t magma_ceildiv(magma_int_t x, magma_int_t y) { return (x + y - 1) / y; }
static inline magma_int_t magma_roundup(magma_int_t x, magma_int_t y) { return magma_ceildiv(x, y) * y; }

/* ---- devices ---- */

magma_int_t magma_num_gpus(void);
void magma_getdevices(magma_device_t *devices, magma_int_t size, magma_int_t *num_dev);
void magma_getdevice(magma_device_t *dev);
void magma_setdevice(magma_device_t dev);
magma_int_t magma_getdevice_arch(void);
magma_int_t magma_getdevice_multiprocessor_count(void);
magma_int_t magma_getdevice_num_threads_block(void);
magma_int_t magma_getdevice_num_threads_multiprocessor(void);
size_t magma_getdevice_shmem_block(void);
size_t magma_getdevice_shmem_block_optin(void);
size_t magma_getdevice_shmem_multiprocessor(void);
magma_int_t magma_is_devptr(const void *ptr);
magma_int_t magma_mem_info(size_t *freeMem, size_t *totalMem);
size_t magma_mem_size(magma_queue_t queue);

/* ---- queues and events ---- */

void magma_queue_create_internal(magma_device_t device, magma_queue_t *queue_ptr, const char *func, const char *file,
                                 int line);
void magma_queue_create_from_cuda_internal(magma_device_t device, cudaStream_t stream, cublasHandle_t cublas,
                                           cusparseHandle_t cusparse, magma_queue_t *queue_ptr, const char *func,
                                           const char *file, int line);
void magma_queue_destroy_internal(magma_queue_t queue, const char *func, const char *file, int line);
void magma_queue_sync_internal(magma_queue_t queue, const char *func, const char *file, int line);
magma_int_t magma_queue_get_device(magma_queue_t queue);
cudaStream_t magma_queue_get_cuda_stream(magma_queue_t queue);
cublasHandle_t magma_queue_get_cublas_handle(magma_queue_t queue);
cusparseHandle_t magma_queue_get_cusparse_handle(magma_queue_t queue);
void magma_queue_wait_event(magma_queue_t queue, magma_event_t event);

void magma_event_create(magma_event_t *event_ptr);
void magma_event_create_untimed(magma_event_t *event_ptr);
void magma_event_destroy(magma_event_t event);
void magma_event_record(magma_event_t event, magma_queue_t queue);
void magma_event_sync(magma_event_t event);

#define TEPHRA_MAGMA_HERE __func__, __FILE__, __LINE__
#define magma_queue_create(device, queue_ptr) magma_queue_create_internal(device, queue_ptr, TEPHRA_MAGMA_HERE)
#define magma_queue_create_from_cuda(device, stream, cublas, cusparse, queue_ptr)                                      \
    magma_queue_create_from_cuda_internal(device, stream, cublas, cusparse, queue_ptr, TEPHRA_MAGMA_HERE)
#define magma_queue_destroy(queue) magma_queue_destroy_internal(queue, TEPHRA_MAGMA_HERE)
#define magma_queue_sync(queue) magma_queue_sync_internal(queue, TEPHRA_MAGMA_HERE)

/* ---- memory ---- */

magma_int_t magma_malloc(magma_ptr *ptr_ptr, size_t bytes);
magma_int_t magma_malloc_cpu(void **ptr_ptr, size_t bytes);
magma_int_t magma_malloc_pinned(void **ptr_ptr, size_t bytes);
magma_int_t magma_free_cpu(void *ptr);
magma_int_t magma_free_internal(magma_ptr ptr, const char *func, const char *file, int line);
magma_int_t magma_free_pinned_internal(void *ptr, const char *func, const char *file, int line);
magma_int_t magma_memset(void *ptr, int value, size_t count);
magma_int_t magma_memset_async(void *ptr, int value, size_t count, magma_queue_t queue);

#define magma_free(ptr) magma_free_internal(ptr, TEPHRA_MAGMA_HERE)
#define magma_free_pinned(ptr) magma_free_pinned_internal(ptr, TEPHRA_MAGMA_HERE)

/* ---- copies: set is host to device, get device to host, copy device to device ---- */

void magma_setmatrix_internal(magma_int_t m, magma_int_t n, magma_int_t elemSize, const void *hA_src, magma_int_t lda,
                              magma_ptr dB_dst, magma_int_t lddb, magma_queue_t queue, const char *func,
                              const char *file, int line);
void magma_getmatrix_internal(magma_int_t m, magma_int_t n, magma_int_t elemSize, magma_const_ptr dA_src,
                              magma_int_t ldda, void *hB_dst, magma_int_t ldb, magma_queue_t queue, const char *func,
                              const char *file, int line);
void magma_copymatrix_internal(magma_int_t m, magma_int_t n, magma_int_t elemSize, magma_const_ptr dA_src,
                               magma_int_t ldda, magma_ptr dB_dst, magma_int_t lddb, magma_queue_t queue,
                               const char *func, const char *file, int line);
void magma_setvector_internal(magma_int_t n, magma_int_t elemSize, const void *hx_src, magma_int_t incx,
                              magma_ptr dy_dst, magma_int_t incy, magma_queue_t queue, const char *func,
                              const char *file, int line);
void magma_getvector_internal(magma_int_t n, magma_int_t elemSize, magma_const_ptr dx_src, magma_int_t incx,
                              void *hy_dst, magma_int_t incy, magma_queue_t queue, const char *func, const char *file,
                              int line);
void magma_copyvector_internal(magma_int_t n, magma_int_t elemSize, magma_const_ptr dx_src, magma_int_t incx,
                               magma_ptr dy_dst, magma_int_t incy, magma_queue_t queue, const char *func,
                               const char *file, int line);
void magma_setmatrix_async_internal(magma_int_t m, magma_int_t n, magma_int_t elemSize, const void *hA_src,
                                    magma_int_t lda, magma_ptr dB_dst, magma_int_t lddb, magma_queue_t queue,
                                    const char *func, const char *file, int line);
void magma_getmatrix_async_internal(magma_int_t m, magma_int_t n, magma_int_t elemSize, magma_const_ptr dA_src,
                                    magma_int_t ldda, void *hB_dst, magma_int_t ldb, magma_queue_t queue,
                                    const char *func, const char *file, int line);
void magma_copymatrix_async_internal(magma_int_t m, magma_int_t n, magma_int_t elemSize, magma_const_ptr dA_src,
                                     magma_int_t ldda, magma_ptr dB_dst, magma_int_t lddb, magma_queue_t queue,
                                     const char *func, const char *file, int line);
void magma_setvector_async_internal(magma_int_t n, magma_int_t elemSize, const void *hx_src, magma_int_t incx,
                                    magma_ptr dy_dst, magma_int_t incy, magma_queue_t queue, const char *func,
                                    const char *file, int line);
void magma_getvector_async_internal(magma_int_t n, magma_int_t elemSize, magma_const_ptr dx_src, magma_int_t incx,
                                    void *hy_dst, magma_int_t incy, magma_queue_t queue, const char *func,
                                    const char *file, int line);
void magma_copyvector_async_internal(magma_int_t n, magma_int_t elemSize, magma_const_ptr dx_src, magma_int_t incx,
                                     magma_ptr dy_dst, magma_int_t incy, magma_queue_t queue, const char *func,
                                     const char *file, int line);

#define magma_setmatrix(m, n, size, a, lda, b, ldb, queue)                                                             \
    magma_setmatrix_internal(m, n, size, a, lda, b, ldb, queue, TEPHRA_MAGMA_HERE)
#define magma_setmatrix_async(m, n, size, a, lda, b, ldb, queue)                                                       \
    magma_setmatrix_async_internal(m, n, size, a, lda, b, ldb, queue, TEPHRA_MAGMA_HERE)
#define magma_setvector(n, size, x, incx, y, incy, queue)                                                              \
    magma_setvector_internal(n, size, x, incx, y, incy, queue, TEPHRA_MAGMA_HERE)
#define magma_setvector_async(n, size, x, incx, y, incy, queue)                                                        \
    magma_setvector_async_internal(n, size, x, incx, y, incy, queue, TEPHRA_MAGMA_HERE)
#define magma_getmatrix(m, n, size, a, lda, b, ldb, queue)                                                             \
    magma_getmatrix_internal(m, n, size, a, lda, b, ldb, queue, TEPHRA_MAGMA_HERE)
#define magma_getmatrix_async(m, n, size, a, lda, b, ldb, queue)                                                       \
    magma_getmatrix_async_internal(m, n, size, a, lda, b, ldb, queue, TEPHRA_MAGMA_HERE)
#define magma_getvector(n, size, x, incx, y, incy, queue)                                                              \
    magma_getvector_internal(n, size, x, incx, y, incy, queue, TEPHRA_MAGMA_HERE)
#define magma_getvector_async(n, size, x, incx, y, incy, queue)                                                        \
    magma_getvector_async_internal(n, size, x, incx, y, incy, queue, TEPHRA_MAGMA_HERE)
#define magma_copymatrix(m, n, size, a, lda, b, ldb, queue)                                                            \
    magma_copymatrix_internal(m, n, size, a, lda, b, ldb, queue, TEPHRA_MAGMA_HERE)
#define magma_copymatrix_async(m, n, size, a, lda, b, ldb, queue)                                                      \
    magma_copymatrix_async_internal(m, n, size, a, lda, b, ldb, queue, TEPHRA_MAGMA_HERE)
#define magma_copyvector(n, size, x, incx, y, incy, queue)                                                             \
    magma_copyvector_internal(n, size, x, incx, y, incy, queue, TEPHRA_MAGMA_HERE)
#define magma_copyvector_async(n, size, x, incx, y, incy, queue)                                                       \
    magma_copyvector_async_internal(n, size, x, incx, y, incy, queue, TEPHRA_MAGMA_HERE)

/* The typed forms, for matrices and vectors of one element type. */
#define TEPHRA_MAGMA_COPY(name, generic, T)                                                                            \
    static inline void magma_##name##matrix(magma_int_t m, magma_int_t n, T const *src, magma_int_t ld_src, T *dst,    \
                                            magma_int_t ld_dst, magma_queue_t queue) {                                 \
        magma_##generic##matrix(m, n, (magma_int_t)sizeof(T), src, ld_src, dst, ld_dst, queue);                        \
    }                                                                                                                  \
    static inline void magma_##name##matrix_async(magma_int_t m, magma_int_t n, T const *src, magma_int_t ld_src,      \
                                                  T *dst, magma_int_t ld_dst, magma_queue_t queue) {                   \
        magma_##generic##matrix_async(m, n, (magma_int_t)sizeof(T), src, ld_src, dst, ld_dst, queue);                  \
    }                                                                                                                  \
    static inline void magma_##name##vector(magma_int_t n, T const *src, magma_int_t inc_src, T *dst,                  \
                                            magma_int_t inc_dst, magma_queue_t queue) {                                \
        magma_##generic##vector(n, (magma_int_t)sizeof(T), src, inc_src, dst, inc_dst, queue);                         \
    }                                                                                                                  \
    static inline void magma_##name##vector_async(magma_int_t n, T const *src, magma_int_t inc_src, T *dst,            \
                                                  magma_int_t inc_dst, magma_queue_t queue) {                          \
        magma_##generic##vector_async(n, (magma_int_t)sizeof(T), src, inc_src, dst, inc_dst, queue);                   \
    }
#define TEPHRA_MAGMA_TYPED(p, T)                                                                                       \
    TEPHRA_MAGMA_COPY(p##set, set, T)                                                                                  \
    TEPHRA_MAGMA_COPY(p##get, get, T)                                                                                  \
    TEPHRA_MAGMA_COPY(p##copy, copy, T)                                                                                \
    static inline magma_int_t magma_##p##malloc(T **ptr_ptr, size_t n) {                                               \
        return magma_malloc((magma_ptr *)ptr_ptr, n * sizeof(T));                                                      \
    }                                                                                                                  \
    static inline magma_int_t magma_##p##malloc_cpu(T **ptr_ptr, size_t n) {                                           \
        return magma_malloc_cpu((void **)ptr_ptr, n * sizeof(T));                                                      \
    }                                                                                                                  \
    static inline magma_int_t magma_##p##malloc_pinned(T **ptr_ptr, size_t n) {                                        \
        return magma_malloc_pinned((void **)ptr_ptr, n * sizeof(T));                                                   \
    }
TEPHRA_MAGMA_TYPED(s, float)
TEPHRA_MAGMA_TYPED(d, double)
TEPHRA_MAGMA_TYPED(c, magmaFloatComplex)
TEPHRA_MAGMA_TYPED(z, magmaDoubleComplex)
TEPHRA_MAGMA_TYPED(i, magma_int_t)
TEPHRA_MAGMA_TYPED(index_, magma_index_t)
TEPHRA_MAGMA_TYPED(uindex_, magma_uindex_t)
#undef TEPHRA_MAGMA_TYPED
#undef TEPHRA_MAGMA_COPY

/* ---- printing and host BLAS 1 ---- */

void magma_sprint(magma_int_t m, magma_int_t n, const float *A, magma_int_t lda);
void magma_sprint_gpu(magma_int_t m, magma_int_t n, magmaFloat_const_ptr dA, magma_int_t ldda, magma_queue_t queue);
void magma_dprint(magma_int_t m, magma_int_t n, const double *A, magma_int_t lda);
void magma_dprint_gpu(magma_int_t m, magma_int_t n, magmaDouble_const_ptr dA, magma_int_t ldda, magma_queue_t queue);
void magma_cprint(magma_int_t m, magma_int_t n, const magmaFloatComplex *A, magma_int_t lda);
void magma_cprint_gpu(magma_int_t m, magma_int_t n, magmaFloatComplex_const_ptr dA, magma_int_t ldda,
                      magma_queue_t queue);
void magma_zprint(magma_int_t m, magma_int_t n, const magmaDoubleComplex *A, magma_int_t lda);
void magma_zprint_gpu(magma_int_t m, magma_int_t n, magmaDoubleComplex_const_ptr dA, magma_int_t ldda,
                      magma_queue_t queue);
void magma_iprint(magma_int_t m, magma_int_t n, const magma_int_t *A, magma_int_t lda);
void magma_iprint_gpu(magma_int_t m, magma_int_t n, magma_int_t *dA, magma_int_t ldda, magma_queue_t queue);

float magma_cblas_sasum(magma_int_t n, const float *x, magma_int_t incx);
double magma_cblas_dasum(magma_int_t n, const double *x, magma_int_t incx);
float magma_cblas_scasum(magma_int_t n, const magmaFloatComplex *x, magma_int_t incx);
double magma_cblas_dzasum(magma_int_t n, const magmaDoubleComplex *x, magma_int_t incx);
float magma_cblas_snrm2(magma_int_t n, const float *x, magma_int_t incx);
double magma_cblas_dnrm2(magma_int_t n, const double *x, magma_int_t incx);
float magma_cblas_scnrm2(magma_int_t n, const magmaFloatComplex *x, magma_int_t incx);
double magma_cblas_dznrm2(magma_int_t n, const magmaDoubleComplex *x, magma_int_t incx);
float magma_cblas_sdot(magma_int_t n, const float *x, magma_int_t incx, const float *y, magma_int_t incy);
double magma_cblas_ddot(magma_int_t n, const double *x, magma_int_t incx, const double *y, magma_int_t incy);
magmaFloatComplex magma_cblas_cdotu(magma_int_t n, const magmaFloatComplex *x, magma_int_t incx,
                                    const magmaFloatComplex *y, magma_int_t incy);
magmaFloatComplex magma_cblas_cdotc(magma_int_t n, const magmaFloatComplex *x, magma_int_t incx,
                                    const magmaFloatComplex *y, magma_int_t incy);
magmaDoubleComplex magma_cblas_zdotu(magma_int_t n, const magmaDoubleComplex *x, magma_int_t incx,
                                     const magmaDoubleComplex *y, magma_int_t incy);
magmaDoubleComplex magma_cblas_zdotc(magma_int_t n, const magmaDoubleComplex *x, magma_int_t incx,
                                     const magmaDoubleComplex *y, magma_int_t incy);

/* ---- one matrix, or a triangle of it with the diagonal: set to constants, copied; asynchronous ---- */

#define TEPHRA_MAGMA_ASSIGNMENTS(letter, type)                                                                         \
    void magmablas_##letter##laset(magma_uplo_t uplo, magma_int_t m, magma_int_t n, type offdiag, type diag, type *dA, \
                                   magma_int_t ldda, magma_queue_t queue);                                             \
    void magmablas_##letter##lacpy(magma_uplo_t uplo, magma_int_t m, magma_int_t n, type const *dA, magma_int_t ldda,  \
                                   type *dB, magma_int_t lddb, magma_queue_t queue)
TEPHRA_MAGMA_ASSIGNMENTS(s, float);
TEPHRA_MAGMA_ASSIGNMENTS(d, double);
TEPHRA_MAGMA_ASSIGNMENTS(c, magmaFloatComplex);
TEPHRA_MAGMA_ASSIGNMENTS(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_ASSIGNMENTS

/* ---- pointer arrays: out[i] = in + row + column*lda + i*stride ---- */

void magma_sset_pointer(float **output_array, float *input, magma_int_t lda, magma_int_t row, magma_int_t column,
                        magma_int_t batch_offset, magma_int_t batchCount, magma_queue_t queue);
void magma_dset_pointer(double **output_array, double *input, magma_int_t lda, magma_int_t row, magma_int_t column,
                        magma_int_t batch_offset, magma_int_t batchCount, magma_queue_t queue);
void magma_cset_pointer(magmaFloatComplex **output_array, magmaFloatComplex *input, magma_int_t lda, magma_int_t row,
                        magma_int_t column, magma_int_t batch_offset, magma_int_t batchCount, magma_queue_t queue);
void magma_zset_pointer(magmaDoubleComplex **output_array, magmaDoubleComplex *input, magma_int_t lda, magma_int_t row,
                        magma_int_t column, magma_int_t batch_offset, magma_int_t batchCount, magma_queue_t queue);
void magma_iset_pointer(magma_int_t **output_array, magma_int_t *input, magma_int_t lda, magma_int_t row,
                        magma_int_t column, magma_int_t batchSize, magma_int_t batchCount, magma_queue_t queue);

/* ---- batched QR ----
 * _batched waits for the queue at the end; _batched_work (no workspace is ever needed: a query answers 0) and _expert
 * do not. Arguments are numbered from 1, except that _expert numbers ldda 4, lddr 6 and lddt 8, as MAGMA does. */

magma_int_t magma_sgeqrf_batched(magma_int_t m, magma_int_t n, float **dA_array, magma_int_t ldda, float **dtau_array,
                                 magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);
magma_int_t magma_sgeqrf_batched_work(magma_int_t m, magma_int_t n, float **dA_array, magma_int_t ldda,
                                      float **dtau_array, magma_int_t *info_array, void *device_work,
                                      magma_int_t *device_lwork, magma_int_t batchCount, magma_queue_t queue);
magma_int_t magma_sgeqrf_expert_batched(magma_int_t m, magma_int_t n, magma_int_t nb, float **dA_array,
                                        magma_int_t ldda, float **dR_array, magma_int_t lddr, float **dT_array,
                                        magma_int_t lddt, float **dtau_array, magma_int_t provide_RT, float **dW_array,
                                        magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);
magma_int_t magma_get_sgeqrf_batched_nb(magma_int_t m);
magma_int_t magma_dgeqrf_batched(magma_int_t m, magma_int_t n, double **dA_array, magma_int_t ldda, double **dtau_array,
                                 magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);
magma_int_t magma_dgeqrf_batched_work(magma_int_t m, magma_int_t n, double **dA_array, magma_int_t ldda,
                                      double **dtau_array, magma_int_t *info_array, void *device_work,
                                      magma_int_t *device_lwork, magma_int_t batchCount, magma_queue_t queue);
magma_int_t magma_dgeqrf_expert_batched(magma_int_t m, magma_int_t n, magma_int_t nb, double **dA_array,
                                        magma_int_t ldda, double **dR_array, magma_int_t lddr, double **dT_array,
                                        magma_int_t lddt, double **dtau_array, magma_int_t provide_RT,
                                        double **dW_array, magma_int_t *info_array, magma_int_t batchCount,
                                        magma_queue_t queue);
magma_int_t magma_get_dgeqrf_batched_nb(magma_int_t m);
magma_int_t magma_cgeqrf_batched(magma_int_t m, magma_int_t n, magmaFloatComplex **dA_array, magma_int_t ldda,
                                 magmaFloatComplex **dtau_array, magma_int_t *info_array, magma_int_t batchCount,
                                 magma_queue_t queue);
magma_int_t magma_cgeqrf_batched_work(magma_int_t m, magma_int_t n, magmaFloatComplex **dA_array, magma_int_t ldda,
                                      magmaFloatComplex **dtau_array, magma_int_t *info_array, void *device_work,
                                      magma_int_t *device_lwork, magma_int_t batchCount, magma_queue_t queue);
magma_int_t magma_cgeqrf_expert_batched(magma_int_t m, magma_int_t n, magma_int_t nb, magmaFloatComplex **dA_array,
                                        magma_int_t ldda, magmaFloatComplex **dR_array, magma_int_t lddr,
                                        magmaFloatComplex **dT_array, magma_int_t lddt, magmaFloatComplex **dtau_array,
                                        magma_int_t provide_RT, magmaFloatComplex **dW_array, magma_int_t *info_array,
                                        magma_int_t batchCount, magma_queue_t queue);
magma_int_t magma_get_cgeqrf_batched_nb(magma_int_t m);
magma_int_t magma_zgeqrf_batched(magma_int_t m, magma_int_t n, magmaDoubleComplex **dA_array, magma_int_t ldda,
                                 magmaDoubleComplex **dtau_array, magma_int_t *info_array, magma_int_t batchCount,
                                 magma_queue_t queue);
magma_int_t magma_zgeqrf_batched_work(magma_int_t m, magma_int_t n, magmaDoubleComplex **dA_array, magma_int_t ldda,
                                      magmaDoubleComplex **dtau_array, magma_int_t *info_array, void *device_work,
                                      magma_int_t *device_lwork, magma_int_t batchCount, magma_queue_t queue);
magma_int_t magma_zgeqrf_expert_batched(magma_int_t m, magma_int_t n, magma_int_t nb, magmaDoubleComplex **dA_array,
                                        magma_int_t ldda, magmaDoubleComplex **dR_array, magma_int_t lddr,
                                        magmaDoubleComplex **dT_array, magma_int_t lddt,
                                        magmaDoubleComplex **dtau_array, magma_int_t provide_RT,
                                        magmaDoubleComplex **dW_array, magma_int_t *info_array, magma_int_t batchCount,
                                        magma_queue_t queue);
magma_int_t magma_get_zgeqrf_batched_nb(magma_int_t m);

/* ---- QR of one matrix ----
 * geqrf2_gpu leaves LAPACK's form. So does geqrf_gpu, but where min(m,n) is more than nb = magma_get_?geqrf_nb(m, n):
 * then the diagonal blocks of dA, all but the last, are those of V with its ones and zeros, and dT, of
 * (2*min(m,n) + roundup(n,32))*nb elements, has their T factors and inverted blocks of R where MAGMA leaves them.
 * geqrf3_gpu leaves the blocks of R as they are. geqrf_expert_gpu_work is geqrf_gpu with an nb of the caller's;
 * *lwork_host < 0 or *lwork_device < 0 asks for the bytes of workspace, which are 0.
 *
 * geqrs_gpu solves the least-squares problem, m >= n, by what geqrf_gpu left, geqrs3_gpu by what geqrf3_gpu left: X
 * replaces the first n rows of dB. Of dT they use the workspace behind the blocks. Where R's diagonal has an exact zero
 * no column of X is finite.
 *
 * orgqr_gpu, ormqr_gpu and ormqr2_gpu (ungqr, unmqr) take any of these forms, and do not look at dT, nor ormqr2_gpu at
 * wA, the copy of dA on the host.
 *
 * geqp3_gpu factors with column pivoting, in LAPACK's form; geqp3_expert_gpu_work does so on a queue. Their jpvt and
 * info are in host memory, tau in device memory. The workspaces are not looked at; *lwork_host < 0 or *lwork_device < 0
 * asks for the bytes that MAGMA takes.
 *
 * tau of the others, info and hwork are in host memory, and all of these wait for their end. They have no queue, and
 * run on the default stream, but for geqrf_expert_gpu_work: it waits for the second of its queues, and runs on the
 * first. */

#define TEPHRA_MAGMA_ONE_MATRIX(letter, type, pointer, q)                                                              \
    magma_int_t magma_##letter##geqrf2_gpu(magma_int_t m, magma_int_t n, pointer##_ptr dA, magma_int_t ldda,           \
                                           type *tau, magma_int_t *info);                                              \
    magma_int_t magma_##letter##geqrf_gpu(magma_int_t m, magma_int_t n, pointer##_ptr dA, magma_int_t ldda, type *tau, \
                                          pointer##_ptr dT, magma_int_t *info);                                        \
    magma_int_t magma_##letter##geqrf3_gpu(magma_int_t m, magma_int_t n, pointer##_ptr dA, magma_int_t ldda,           \
                                           type *tau, pointer##_ptr dT, magma_int_t *info);                            \
    magma_int_t magma_##letter##geqrf_expert_gpu_work(                                                                 \
        magma_int_t m, magma_int_t n, pointer##_ptr dA, magma_int_t ldda, type *tau, pointer##_ptr dT,                 \
        magma_int_t *info, magma_mode_t mode, magma_int_t nb, void *host_work, magma_int_t *lwork_host,                \
        void *device_work, magma_int_t *lwork_device, magma_queue_t queues[2]);                                        \
    magma_int_t magma_##letter##geqrs_gpu(magma_int_t m, magma_int_t n, magma_int_t nrhs, pointer##_const_ptr dA,      \
                                          magma_int_t ldda, type const *tau, pointer##_ptr dT, pointer##_ptr dB,       \
                                          magma_int_t lddb, type *hwork, magma_int_t lwork, magma_int_t *info);        \
    magma_int_t magma_##letter##geqrs3_gpu(magma_int_t m, magma_int_t n, magma_int_t nrhs, pointer##_ptr dA,           \
                                           magma_int_t ldda, type const *tau, pointer##_ptr dT, pointer##_ptr dB,      \
                                           magma_int_t lddb, type *hwork, magma_int_t lwork, magma_int_t *info);       \
    magma_int_t magma_get_##letter##geqrf_nb(magma_int_t m, magma_int_t n);                                            \
    magma_int_t magma_##letter##geqp3_expert_gpu_work(                                                                 \
        magma_int_t m, magma_int_t n, pointer##_ptr dA, magma_int_t ldda, magma_int_t *jpvt, type *tau,                \
        void *host_work, magma_int_t *lwork_host, void *device_work, magma_int_t *lwork_device, magma_int_t *info,     \
        magma_queue_t queue);                                                                                          \
    magma_int_t magma_get_##letter##geqp3_nb(magma_int_t m, magma_int_t n);                                            \
    magma_int_t magma_##letter##q##gqr_gpu(magma_int_t m, magma_int_t n, magma_int_t k, pointer##_ptr dA,              \
                                           magma_int_t ldda, type *tau, pointer##_ptr dT, magma_int_t nb,              \
                                           magma_int_t *info);                                                         \
    magma_int_t magma_##letter##q##mqr_gpu(magma_side_t side, magma_trans_t trans, magma_int_t m, magma_int_t n,       \
                                           magma_int_t k, pointer##_const_ptr dA, magma_int_t ldda, type const *tau,   \
                                           pointer##_ptr dC, magma_int_t lddc, type *hwork, magma_int_t lwork,         \
                                           pointer##_ptr dT, magma_int_t nb, magma_int_t *info);                       \
    magma_int_t magma_##letter##q##mqr2_gpu(magma_side_t side, magma_trans_t trans, magma_int_t m, magma_int_t n,      \
                                            magma_int_t k, pointer##_ptr dA, magma_int_t ldda, type *tau,              \
                                            pointer##_ptr dC, magma_int_t lddc, const type *wA, magma_int_t ldwa,      \
                                            magma_int_t *info)
TEPHRA_MAGMA_ONE_MATRIX(s, float, magmaFloat, or);
TEPHRA_MAGMA_ONE_MATRIX(d, double, magmaDouble, or);
TEPHRA_MAGMA_ONE_MATRIX(c, magmaFloatComplex, magmaFloatComplex, un);
TEPHRA_MAGMA_ONE_MATRIX(z, magmaDoubleComplex, magmaDoubleComplex, un);
#undef TEPHRA_MAGMA_ONE_MATRIX

/* ---- LU and Cholesky of one matrix ----
 * LAPACK's, of a matrix in device memory; ipiv and info are in host memory. They have no queue, run on the default
 * stream, and wait for their end. */

#define TEPHRA_MAGMA_SYSTEMS(letter, pointer)                                                                          \
    magma_int_t magma_##letter##getrf_gpu(magma_int_t m, magma_int_t n, pointer##_ptr dA, magma_int_t ldda,            \
                                          magma_int_t *ipiv, magma_int_t *info);                                       \
    magma_int_t magma_##letter##getrs_gpu(magma_trans_t trans, magma_int_t n, magma_int_t nrhs, pointer##_ptr dA,      \
                                          magma_int_t ldda, magma_int_t *ipiv, pointer##_ptr dB, magma_int_t lddb,     \
                                          magma_int_t *info);                                                          \
    magma_int_t magma_##letter##potrf_gpu(magma_uplo_t uplo, magma_int_t n, pointer##_ptr dA, magma_int_t ldda,        \
                                          magma_int_t *info);                                                          \
    magma_int_t magma_##letter##potrs_gpu(magma_uplo_t uplo, magma_int_t n, magma_int_t nrhs, pointer##_ptr dA,        \
                                          magma_int_t ldda, pointer##_ptr dB, magma_int_t lddb, magma_int_t *info)
TEPHRA_MAGMA_SYSTEMS(s, magmaFloat);
TEPHRA_MAGMA_SYSTEMS(d, magmaDouble);
TEPHRA_MAGMA_SYSTEMS(c, magmaFloatComplex);
TEPHRA_MAGMA_SYSTEMS(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_SYSTEMS
magma_int_t magma_sgeqp3_gpu(magma_int_t m, magma_int_t n, magmaFloat_ptr dA, magma_int_t ldda, magma_int_t *jpvt,
                             float *tau, magmaFloat_ptr dwork, magma_int_t lwork, magma_int_t *info);
magma_int_t magma_dgeqp3_gpu(magma_int_t m, magma_int_t n, magmaDouble_ptr dA, magma_int_t ldda, magma_int_t *jpvt,
                             double *tau, magmaDouble_ptr dwork, magma_int_t lwork, magma_int_t *info);
magma_int_t magma_cgeqp3_gpu(magma_int_t m, magma_int_t n, magmaFloatComplex_ptr dA, magma_int_t ldda,
                             magma_int_t *jpvt, magmaFloatComplex *tau, magmaFloatComplex_ptr dwork, magma_int_t lwork,
                             float *rwork, magma_int_t *info);
magma_int_t magma_zgeqp3_gpu(magma_int_t m, magma_int_t n, magmaDoubleComplex_ptr dA, magma_int_t ldda,
                             magma_int_t *jpvt, magmaDoubleComplex *tau, magmaDoubleComplex_ptr dwork,
                             magma_int_t lwork, double *rwork, magma_int_t *info);

/* ---- batched Q, least squares, triangular solves ----
 * ormqr and unmqr serve both sides; *lwork_device < 0 asks for the bytes of workspace, which are 0. They are
 * asynchronous and set info_array, which may be NULL, to 0, unless there is nothing to do.
 *
 * gels solves least-squares (m >= n) and minimum-norm problems for A and its (conjugate) transpose, and waits for the
 * queue. MAGMA declares it and has no code for it. info is a device array here, or NULL: 0, or j when the j-th diagonal
 * element of the triangular factor is exactly 0. hwork is not used; lwork < 0 writes 1 there. Larger shapes take a
 * workspace from the driver's pool.
 *
 * trsm is asynchronous; trsm_inv does the same and waits for the queue. trsm_inv_outofplace is asynchronous, too: it
 * writes X and leaves B as it is; flag, dinvA_array and what follows it up to resetozero are not looked at. */

#define TEPHRA_MAGMA_SOLVERS(letter, type, mqr)                                                                        \
    magma_int_t magma_##letter##mqr##_batched(                                                                         \
        magma_side_t side, magma_trans_t trans, magma_int_t m, magma_int_t n, magma_int_t k, type **dA_array,          \
        magma_int_t ldda, type **dtau_array, type **dC_array, magma_int_t lddc, void *device_work,                     \
        int64_t *lwork_device, magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);                  \
    magma_int_t magma_##letter##gels_batched(magma_trans_t trans, magma_int_t m, magma_int_t n, magma_int_t nrhs,      \
                                             type **dA_array, magma_int_t ldda, type **dB_array, magma_int_t lddb,     \
                                             type *hwork, magma_int_t lwork, magma_int_t *info,                        \
                                             magma_int_t batchCount, magma_queue_t queue);                             \
    void magmablas_##letter##trsm_batched(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,                  \
                                          magma_diag_t diag, magma_int_t m, magma_int_t n, type alpha,                 \
                                          type **dA_array, magma_int_t ldda, type **dB_array, magma_int_t lddb,        \
                                          magma_int_t batchCount, magma_queue_t queue);                                \
    void magmablas_##letter##trsm_inv_batched(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,              \
                                              magma_diag_t diag, magma_int_t m, magma_int_t n, type alpha,             \
                                              type **dA_array, magma_int_t ldda, type **dB_array, magma_int_t lddb,    \
                                              magma_int_t batchCount, magma_queue_t queue);                            \
    void magmablas_##letter##trsm_inv_outofplace_batched(                                                              \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t flag,               \
        magma_int_t m, magma_int_t n, type alpha, type **dA_array, magma_int_t ldda, type **dB_array,                  \
        magma_int_t lddb, type **dX_array, magma_int_t lddx, type **dinvA_array, magma_int_t dinvA_length,             \
        type **dA_displ, type **dB_displ, type **dX_displ, type **dinvA_displ, magma_int_t resetozero,                 \
        magma_int_t batchCount, magma_queue_t queue)
TEPHRA_MAGMA_SOLVERS(s, float, ormqr);
TEPHRA_MAGMA_SOLVERS(d, double, ormqr);
TEPHRA_MAGMA_SOLVERS(c, magmaFloatComplex, unmqr);
TEPHRA_MAGMA_SOLVERS(z, magmaDoubleComplex, unmqr);
#undef TEPHRA_MAGMA_SOLVERS

/* ---- batched products: C := alpha op(A) op(B) + beta C, y := alpha op(A) x + beta y, asynchronous ----
 * Forms with Ai and Aj take the block of each member that starts at that row and column; xi and yi count elements from
 * the pointer on, whatever the sign of the increment. With k = 0, C is scaled by beta. gemv_batched_internal takes
 * members at a fixed distance where an array is NULL. blas_gemm_batched works on host memory, arrays and all. */

#define TEPHRA_MAGMA_PRODUCTS(letter, type)                                                                            \
    void blas_##letter##gemm_batched(magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n,         \
                                     magma_int_t k, type alpha, type const *const *hA_array, magma_int_t lda,          \
                                     type const *const *hB_array, magma_int_t ldb, type beta, type **hC_array,         \
                                     magma_int_t ldc, magma_int_t batchCount);                                         \
    void magma_##letter##gemm_batched(magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n,        \
                                      magma_int_t k, type alpha, type const *const *dA_array, magma_int_t ldda,        \
                                      type const *const *dB_array, magma_int_t lddb, type beta, type **dC_array,       \
                                      magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);                  \
    void magma_##letter##gemm_batched_core(                                                                            \
        magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n, magma_int_t k, type alpha,           \
        type const *const *dA_array, magma_int_t Ai, magma_int_t Aj, magma_int_t ldda, type const *const *dB_array,    \
        magma_int_t Bi, magma_int_t Bj, magma_int_t lddb, type beta, type **dC_array, magma_int_t Ci, magma_int_t Cj,  \
        magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);                                                \
    void magmablas_##letter##gemm_batched(magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n,    \
                                          magma_int_t k, type alpha, type const *const *dA_array, magma_int_t ldda,    \
                                          type const *const *dB_array, magma_int_t lddb, type beta, type **dC_array,   \
                                          magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);              \
    void magmablas_##letter##gemm_batched_core(                                                                        \
        magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n, magma_int_t k, type alpha,           \
        type const *const *dA_array, magma_int_t Ai, magma_int_t Aj, magma_int_t ldda, type const *const *dB_array,    \
        magma_int_t Bi, magma_int_t Bj, magma_int_t lddb, type beta, type **dC_array, magma_int_t Ci, magma_int_t Cj,  \
        magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);                                                \
    void magmablas_##letter##gemm_batched_smallsq(                                                                     \
        magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n, magma_int_t k, type alpha,           \
        type const *const *dA_array, magma_int_t ai, magma_int_t aj, magma_int_t ldda, type const *const *dB_array,    \
        magma_int_t bi, magma_int_t bj, magma_int_t lddb, type beta, type **dC_array, magma_int_t ci, magma_int_t cj,  \
        magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);                                                \
    void magmablas_##letter##gemm_batched_strided(                                                                     \
        magma_trans_t transA, magma_trans_t transB, magma_int_t m, magma_int_t n, magma_int_t k, type alpha,           \
        type const *dA, magma_int_t ldda, magma_int_t strideA, type const *dB, magma_int_t lddb, magma_int_t strideB,  \
        type beta, type *dC, magma_int_t lddc, magma_int_t strideC, magma_int_t batchCount, magma_queue_t queue);      \
    void magmablas_##letter##gemv_batched(magma_trans_t trans, magma_int_t m, magma_int_t n, const type alpha,         \
                                          type const *const *dA_array, magma_int_t ldda, type const *const *dx_array,  \
                                          magma_int_t incx, const type beta, type **dy_array, magma_int_t incy,        \
                                          magma_int_t batchCount, magma_queue_t queue);                                \
    void magmablas_##letter##gemv_batched_core(magma_trans_t trans, magma_int_t m, magma_int_t n, const type alpha,    \
                                               type const *const *dA_array, magma_int_t Ai, magma_int_t Aj,            \
                                               magma_int_t ldda, type const *const *dx_array, magma_int_t xi,          \
                                               magma_int_t incx, const type beta, type **dy_array, magma_int_t yi,     \
                                               magma_int_t incy, magma_int_t batchCount, magma_queue_t queue);         \
    void magmablas_##letter##gemv_batched_internal(                                                                    \
        magma_trans_t trans, magma_int_t m, magma_int_t n, const type alpha, type const *const *dA_array,              \
        const type *dA, magma_int_t ldda, magma_int_t strideA, magma_int_t Ai, magma_int_t Aj,                         \
        type const *const *dx_array, const type *dx, magma_int_t incx, magma_int_t stridex, magma_int_t xi,            \
        const type beta, type **dy_array, type *dy, magma_int_t incy, magma_int_t stridey, magma_int_t yi,             \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    magma_int_t magmablas_##letter##gemv_batched_smallsq(                                                              \
        magma_trans_t trans, magma_int_t n, const type alpha, type const *const *dA_array, magma_int_t Ai,             \
        magma_int_t Aj, magma_int_t ldda, type const *const *dx_array, magma_int_t xi, magma_int_t incx,               \
        const type beta, type **dy_array, magma_int_t yi, magma_int_t incy, magma_int_t batchCount,                    \
        magma_queue_t queue);                                                                                          \
    void magmablas_##letter##gemv_batched_strided(                                                                     \
        magma_trans_t trans, magma_int_t m, magma_int_t n, const type alpha, const type *dA, magma_int_t ldda,         \
        magma_int_t strideA, const type *dx, magma_int_t incx, magma_int_t stridex, const type beta, type *dy,         \
        magma_int_t incy, magma_int_t stridey, magma_int_t batchCount, magma_queue_t queue);                           \
    void magmablas_##letter##gemv_batched_strided_core(                                                                \
        magma_trans_t trans, magma_int_t m, magma_int_t n, const type alpha, const type *dA, magma_int_t ldda,         \
        magma_int_t Ai, magma_int_t Aj, magma_int_t strideA, const type *dx, magma_int_t incx, magma_int_t xi,         \
        magma_int_t stridex, const type beta, type *dy, magma_int_t incy, magma_int_t yi, magma_int_t stridey,         \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    magma_int_t magmablas_##letter##gemv_batched_strided_smallsq(                                                      \
        magma_trans_t transA, magma_int_t n, const type alpha, const type *dA, magma_int_t Ai, magma_int_t Aj,         \
        magma_int_t ldda, magma_int_t strideA, const type *dx, magma_int_t xi, magma_int_t incx, magma_int_t stridex,  \
        const type beta, type *dy, magma_int_t yi, magma_int_t incy, magma_int_t stridey, magma_int_t batchCount,      \
        magma_queue_t queue)
TEPHRA_MAGMA_PRODUCTS(s, float);
TEPHRA_MAGMA_PRODUCTS(d, double);
TEPHRA_MAGMA_PRODUCTS(c, magmaFloatComplex);
TEPHRA_MAGMA_PRODUCTS(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_PRODUCTS

/* ---- batched BLAS, copies and constants: asynchronous ----
 * Only the triangle that uplo names is read or written. Those that end in _core, _internal, _small or _recursive are of
 * blocks that begin at a row and a column of each matrix (counted from 0), of which syrk's and herk's cores are one
 * product of A and B, whose triangle is stored. herk's diagonal is real. Those whose names begin with blas_ work on
 * host memory, arrays and all, and are done when they return. */

#define TEPHRA_MAGMA_BLAS(letter, type)                                                                                \
    void blas_##letter##trmm_batched(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag,    \
                                     magma_int_t m, magma_int_t n, type alpha, type **hA_array, magma_int_t lda,       \
                                     type **hB_array, magma_int_t ldb, magma_int_t batchCount);                        \
    void blas_##letter##trsm_batched(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag,    \
                                     magma_int_t m, magma_int_t n, type alpha, type **hA_array, magma_int_t lda,       \
                                     type **hB_array, magma_int_t ldb, magma_int_t batchCount);                        \
    void blas_##letter##lacpy_batched(magma_uplo_t uplo, magma_int_t m, magma_int_t n, type const *const *hA_array,    \
                                      magma_int_t lda, type **hB_array, magma_int_t ldb, magma_int_t batchCount);      \
    void magmablas_##letter##trmm_batched(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,                  \
                                          magma_diag_t diag, magma_int_t m, magma_int_t n, type alpha,                 \
                                          type **dA_array, magma_int_t ldda, type **dB_array, magma_int_t lddb,        \
                                          magma_int_t batchCount, magma_queue_t queue);                                \
    void magmablas_##letter##trmm_batched_core(                                                                        \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t m, magma_int_t n,   \
        type alpha, type **dA_array, magma_int_t Ai, magma_int_t Aj, magma_int_t ldda, type **dB_array,                \
        magma_int_t Bi, magma_int_t Bj, magma_int_t lddb, magma_int_t batchCount, magma_queue_t queue);                \
    void magmablas_##letter##trsm_small_batched(                                                                       \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t m, magma_int_t n,   \
        type alpha, type **dA_array, magma_int_t Ai, magma_int_t Aj, magma_int_t ldda, type **dB_array,                \
        magma_int_t Bi, magma_int_t Bj, magma_int_t lddb, magma_int_t batchCount, magma_queue_t queue);                \
    void magmablas_##letter##trsm_recursive_batched(                                                                   \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t m, magma_int_t n,   \
        type alpha, type **dA_array, magma_int_t Ai, magma_int_t Aj, magma_int_t ldda, type **dB_array,                \
        magma_int_t Bi, magma_int_t Bj, magma_int_t lddb, magma_int_t batchCount, magma_queue_t queue);                \
    void magmablas_##letter##trsv_batched(magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t n,   \
                                          type **dA_array, magma_int_t ldda, type **dB_array, magma_int_t incb,        \
                                          magma_int_t batchCount, magma_queue_t queue);                                \
    void magmablas_##letter##trsv_recursive_batched(magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag,        \
                                                    magma_int_t n, type **dA_array, magma_int_t Ai, magma_int_t Aj,    \
                                                    magma_int_t ldda, type **dx_array, magma_int_t xi,                 \
                                                    magma_int_t incx, magma_int_t batchCount, magma_queue_t queue);    \
    void magmablas_##letter##syrk_batched(                                                                             \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k, type alpha, type const *const *dA_array, \
        magma_int_t ldda, type beta, type **dC_array, magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);  \
    void magmablas_##letter##syrk_batched_core(                                                                        \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k, type alpha, type const *const *dA_array, \
        magma_int_t ai, magma_int_t aj, magma_int_t ldda, type const *const *dB_array, magma_int_t bi, magma_int_t bj, \
        magma_int_t lddb, type beta, type **dC_array, magma_int_t ci, magma_int_t cj, magma_int_t lddc,                \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    void magmablas_##letter##syr2k_batched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k,       \
                                           type alpha, type const *const *dA_array, magma_int_t ldda,                  \
                                           type const *const *dB_array, magma_int_t lddb, type beta, type **dC_array,  \
                                           magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);             \
    void magmablas_##letter##lacpy_batched(magma_uplo_t uplo, magma_int_t m, magma_int_t n,                            \
                                           type const *const dAarray[], magma_int_t ldda, type *dBarray[],             \
                                           magma_int_t lddb, magma_int_t batchCount, magma_queue_t queue);             \
    void magmablas_##letter##lacpy_internal_batched(magma_uplo_t uplo, magma_int_t m, magma_int_t n,                   \
                                                    type const *const dAarray[], magma_int_t Ai, magma_int_t Aj,       \
                                                    magma_int_t ldda, type *dBarray[], magma_int_t Bi, magma_int_t Bj, \
                                                    magma_int_t lddb, magma_int_t batchCount, magma_queue_t queue);    \
    void magmablas_##letter##laset_batched(magma_uplo_t uplo, magma_int_t m, magma_int_t n, type offdiag, type diag,   \
                                           type *dAarray[], magma_int_t ldda, magma_int_t batchCount,                  \
                                           magma_queue_t queue);                                                       \
    void magmablas_##letter##laset_internal_batched(magma_uplo_t uplo, magma_int_t m, magma_int_t n, type offdiag,     \
                                                    type diag, type *dAarray[], magma_int_t Ai, magma_int_t Aj,        \
                                                    magma_int_t ldda, magma_int_t batchCount, magma_queue_t queue);    \
    void magmablas_##letter##transpose_batched(magma_int_t m, magma_int_t n, type **dA_array, magma_int_t ldda,        \
                                               type **dAT_array, magma_int_t lddat, magma_int_t batchCount,            \
                                               magma_queue_t queue);                                                   \
    void magmablas_##letter##geadd_batched(magma_int_t m, magma_int_t n, type alpha, type const *const dAarray[],      \
                                           magma_int_t ldda, type *dBarray[], magma_int_t lddb,                        \
                                           magma_int_t batchCount, magma_queue_t queue)
TEPHRA_MAGMA_BLAS(s, float);
TEPHRA_MAGMA_BLAS(d, double);
TEPHRA_MAGMA_BLAS(c, magmaFloatComplex);
TEPHRA_MAGMA_BLAS(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_BLAS

#define TEPHRA_MAGMA_RANK_UPDATES(letter, type, real, one, two)                                                        \
    void blas_##letter##one##_batched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k,            \
                                      real alpha, type const *const *hA_array, magma_int_t lda, real beta,             \
                                      type **hC_array, magma_int_t ldc, magma_int_t batchCount);                       \
    void blas_##letter##two##_batched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k,            \
                                      type alpha, type const *const *hA_array, magma_int_t lda,                        \
                                      type const *const *hB_array, magma_int_t ldb, real beta, type **hC_array,        \
                                      magma_int_t ldc, magma_int_t batchCount)
TEPHRA_MAGMA_RANK_UPDATES(s, float, float, syrk, syr2k);
TEPHRA_MAGMA_RANK_UPDATES(d, double, double, syrk, syr2k);
TEPHRA_MAGMA_RANK_UPDATES(c, magmaFloatComplex, float, herk, her2k);
TEPHRA_MAGMA_RANK_UPDATES(z, magmaDoubleComplex, double, herk, her2k);
#undef TEPHRA_MAGMA_RANK_UPDATES

#define TEPHRA_MAGMA_HERMITIAN(letter, type, real)                                                                     \
    void magmablas_##letter##herk_batched(                                                                             \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k, real alpha, type const *const *dA_array, \
        magma_int_t ldda, real beta, type **dC_array, magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);  \
    void magma_##letter##herk_batched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k,            \
                                      real alpha, type const *const *dA_array, magma_int_t ldda, real beta,            \
                                      type **dC_array, magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue); \
    void magmablas_##letter##herk_batched_core(                                                                        \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k, type alpha, type const *const *dA_array, \
        magma_int_t ai, magma_int_t aj, magma_int_t ldda, type const *const *dB_array, magma_int_t bi, magma_int_t bj, \
        magma_int_t lddb, type beta, type **dC_array, magma_int_t ci, magma_int_t cj, magma_int_t lddc,                \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    void magmablas_##letter##her2k_batched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k,       \
                                           type alpha, type const *const *dA_array, magma_int_t ldda,                  \
                                           type const *const *dB_array, magma_int_t lddb, real beta, type **dC_array,  \
                                           magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);             \
    void magmablas_##letter##transpose_conj_batched(magma_int_t m, magma_int_t n, type **dA_array, magma_int_t ldda,   \
                                                    type **dAT_array, magma_int_t lddat, magma_int_t batchCount,       \
                                                    magma_queue_t queue)
TEPHRA_MAGMA_HERMITIAN(c, magmaFloatComplex, float);
TEPHRA_MAGMA_HERMITIAN(z, magmaDoubleComplex, double);
#undef TEPHRA_MAGMA_HERMITIAN

void magma_ssyrk_batched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k, float alpha,
                         float const *const *dA_array, magma_int_t ldda, float beta, float **dC_array, magma_int_t lddc,
                         magma_int_t batchCount, magma_queue_t queue);
void magma_dsyrk_batched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t n, magma_int_t k, double alpha,
                         double const *const *dA_array, magma_int_t ldda, double beta, double **dC_array,
                         magma_int_t lddc, magma_int_t batchCount, magma_queue_t queue);

/* ---- batched LU, LAPACK getrf of each matrix, and what follows it ----
 * ipiv holds LAPACK's interchanges; getrs and getri take NULL for none. Codes, which may be NULL, are 0, or j when the
 * j-th diagonal element of U is the first that is exactly zero: then there is no inverse, and NaN throughout
 * in its place, and no solution, none of whose columns is finite. getrs_nopiv and getri do not touch info_array, as in
 * MAGMA.
 *
 * getrf waits for the queue, but for m = n <= 32; so does gesv for n > 32; getrf_nopiv, gesv_nopiv, gesv_rbt and getri
 * always do; the others do not. Arguments are numbered from 1, except that getrs_nopiv numbers lddb 8 and gesv 6, as
 * MAGMA does.
 *
 * gesv_rbt has random butterflies, the same in every call, in place of pivoting: A becomes the factors of U^T A V.
 *
 * getf2 is getrf without waiting, of the block that begins at (ai, aj) of each matrix, aj = ai but for getf2_nopiv;
 * interchanges are at ai of ipiv and counted from the block's first row. Codes are set with gbstep = 0; else those that
 * are 0 become gbstep + j. It does not look at dpivinfo_array. With nrhs = 0, gesv factors nothing.
 *
 * laswp_rowserial exchanges rows k1 to k2 - 1, as MAGMA's code does; laswp_columnserial columns k1 to k2 of n rows,
 * downwards with k2 < k1. laswp_rowparallel puts row pivinfo[r] of the input to row r of the output, for the first
 * k2 - k1 rows, at most 1024; what of those is further below in the input becomes what pivinfo has for it. The output
 * may be the input. */

#define TEPHRA_MAGMA_LU(letter, type)                                                                                  \
    magma_int_t magma_##letter##getrf_batched(magma_int_t m, magma_int_t n, type **dA_array, magma_int_t lda,          \
                                              magma_int_t **ipiv_array, magma_int_t *info_array,                       \
                                              magma_int_t batchCount, magma_queue_t queue);                            \
    magma_int_t magma_##letter##getrf_nopiv_batched(magma_int_t m, magma_int_t n, type **dA_array, magma_int_t lda,    \
                                                    magma_int_t *info_array, magma_int_t batchCount,                   \
                                                    magma_queue_t queue);                                              \
    magma_int_t magma_##letter##getf2_batched(magma_int_t m, magma_int_t n, type **dA_array, magma_int_t ai,           \
                                              magma_int_t aj, magma_int_t lda, magma_int_t **ipiv_array,               \
                                              magma_int_t **dpivinfo_array, magma_int_t *info_array,                   \
                                              magma_int_t gbstep, magma_int_t batchCount, magma_queue_t queue);        \
    magma_int_t magma_##letter##getf2_nopiv_batched(magma_int_t m, magma_int_t n, type **dA_array, magma_int_t ai,     \
                                                    magma_int_t aj, magma_int_t ldda, magma_int_t *info_array,         \
                                                    magma_int_t gbstep, magma_int_t batchCount, magma_queue_t queue);  \
    magma_int_t magma_##letter##getrs_batched(magma_trans_t trans, magma_int_t n, magma_int_t nrhs, type **dA_array,   \
                                              magma_int_t ldda, magma_int_t **dipiv_array, type **dB_array,            \
                                              magma_int_t lddb, magma_int_t batchCount, magma_queue_t queue);          \
    magma_int_t magma_##letter##getrs_nopiv_batched(                                                                   \
        magma_trans_t trans, magma_int_t n, magma_int_t nrhs, type **dA_array, magma_int_t ldda, type **dB_array,      \
        magma_int_t lddb, magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);                       \
    magma_int_t magma_##letter##getri_outofplace_batched(                                                              \
        magma_int_t n, type **dA_array, magma_int_t ldda, magma_int_t **dipiv_array, type **dinvA_array,               \
        magma_int_t lddia, magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);                      \
    magma_int_t magma_##letter##gesv_batched(magma_int_t n, magma_int_t nrhs, type **dA_array, magma_int_t ldda,       \
                                             magma_int_t **dipiv_array, type **dB_array, magma_int_t lddb,             \
                                             magma_int_t *dinfo_array, magma_int_t batchCount, magma_queue_t queue);   \
    magma_int_t magma_##letter##gesv_nopiv_batched(magma_int_t n, magma_int_t nrhs, type **dA_array, magma_int_t ldda, \
                                                   type **dB_array, magma_int_t lddb, magma_int_t *info_array,         \
                                                   magma_int_t batchCount, magma_queue_t queue);                       \
    magma_int_t magma_##letter##gesv_rbt_batched(magma_int_t n, magma_int_t nrhs, type **dA_array, magma_int_t ldda,   \
                                                 type **dB_array, magma_int_t lddb, magma_int_t *info_array,           \
                                                 magma_int_t batchCount, magma_queue_t queue);                         \
    void magma_##letter##laswp_rowserial_batched(magma_int_t n, type **dA_array, magma_int_t lda, magma_int_t k1,      \
                                                 magma_int_t k2, magma_int_t **ipiv_array, magma_int_t batchCount,     \
                                                 magma_queue_t queue);                                                 \
    void magma_##letter##laswp_columnserial_batched(magma_int_t n, type **dA_array, magma_int_t lda, magma_int_t k1,   \
                                                    magma_int_t k2, magma_int_t **ipiv_array, magma_int_t batchCount,  \
                                                    magma_queue_t queue);                                              \
    void magma_##letter##laswp_rowparallel_batched(                                                                    \
        magma_int_t n, type **input_array, magma_int_t input_i, magma_int_t input_j, magma_int_t ldi,                  \
        type **output_array, magma_int_t output_i, magma_int_t output_j, magma_int_t ldo, magma_int_t k1,              \
        magma_int_t k2, magma_int_t **pivinfo_array, magma_int_t batchCount, magma_queue_t queue)
TEPHRA_MAGMA_LU(s, float);
TEPHRA_MAGMA_LU(d, double);
TEPHRA_MAGMA_LU(c, magmaFloatComplex);
TEPHRA_MAGMA_LU(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_LU

/* ---- batched Cholesky, LAPACK potrf of each matrix, and what follows it ----
 * Both triangles, where MAGMA has the lower one; the other triangle is neither read nor written. Codes, which may be
 * NULL, are 0, or the order of the first leading minor that is not positive definite: then there is no solution, and
 * beyond that minor what is left in A's place is unspecified. A NaN on the diagonal is such a minor.
 *
 * potrs and posv wait for the queue, the others do not; posv without right-hand sides factors nothing. potrf_expert is
 * potrf with any nb and recnb. potf2 is potrf of the block that begins at (ai, aj) of each matrix; codes are set with
 * gbstep = 0; else those that are 0 become gbstep + j. Arguments are numbered from 1. */

#define TEPHRA_MAGMA_CHOLESKY(letter, type)                                                                            \
    magma_int_t magma_##letter##potrf_batched(magma_uplo_t uplo, magma_int_t n, type **dA_array, magma_int_t lda,      \
                                              magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);   \
    magma_int_t magma_##letter##potrf_expert_batched(                                                                  \
        magma_uplo_t uplo, magma_int_t n, magma_int_t nb, magma_int_t recnb, type **dA_array, magma_int_t ldda,        \
        magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);                                         \
    magma_int_t magma_##letter##potf2_batched(magma_uplo_t uplo, magma_int_t n, type **dA_array, magma_int_t ai,       \
                                              magma_int_t aj, magma_int_t lda, magma_int_t *info_array,                \
                                              magma_int_t gbstep, magma_int_t batchCount, magma_queue_t queue);        \
    magma_int_t magma_##letter##potrs_batched(magma_uplo_t uplo, magma_int_t n, magma_int_t nrhs, type **dA_array,     \
                                              magma_int_t ldda, type **dB_array, magma_int_t lddb,                     \
                                              magma_int_t batchCount, magma_queue_t queue);                            \
    magma_int_t magma_##letter##posv_batched(magma_uplo_t uplo, magma_int_t n, magma_int_t nrhs, type **dA_array,      \
                                             magma_int_t ldda, type **dB_array, magma_int_t lddb,                      \
                                             magma_int_t *dinfo_array, magma_int_t batchCount, magma_queue_t queue)
TEPHRA_MAGMA_CHOLESKY(s, float);
TEPHRA_MAGMA_CHOLESKY(d, double);
TEPHRA_MAGMA_CHOLESKY(c, magmaFloatComplex);
TEPHRA_MAGMA_CHOLESKY(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_CHOLESKY

/* ---- batches of matrices with sizes of their own ----
 * Rows, columns and leading dimensions are arrays in device memory, one of each a matrix. The plain forms copy them to
 * the host to look at them and for the largest, and wait for the queue. Those with max_nocheck are told the largest,
 * and wait for nothing: of a matrix whose sizes are not valid they write no more than its code, -1, -2 or -4. They do
 * not look at minmn, max_minmn, max_mxn, nb, recnb, pivinfo_array and the workspace, whose size is 0. A NULL ipiv_array
 * means no pivoting. Pivots of which |re| + |im| is less than dtol_array[i], or with a NULL dtol_array than eps, are
 * replaced by that, with the sign of their real part; with such a tolerance above 0 the code is how many were. */

#define TEPHRA_MAGMA_VBATCHED_LU(letter, type, real)                                                                   \
    magma_int_t magma_##letter##getrf_vbatched(magma_int_t *m, magma_int_t *n, type **dA_array, magma_int_t *ldda,     \
                                               magma_int_t **ipiv_array, magma_int_t *info_array,                      \
                                               magma_int_t batchCount, magma_queue_t queue);                           \
    magma_int_t magma_##letter##getrf_vbatched_max_nocheck(                                                            \
        magma_int_t *m, magma_int_t *n, magma_int_t *minmn, magma_int_t max_m, magma_int_t max_n,                      \
        magma_int_t max_minmn, magma_int_t max_mxn, magma_int_t nb, magma_int_t recnb, type **dA_array,                \
        magma_int_t *ldda, magma_int_t **ipiv_array, magma_int_t **pivinfo_array, magma_int_t *info_array,             \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    magma_int_t magma_##letter##getrf_vbatched_max_nocheck_work(                                                       \
        magma_int_t *m, magma_int_t *n, magma_int_t max_m, magma_int_t max_n, magma_int_t max_minmn,                   \
        magma_int_t max_mxn, type **dA_array, magma_int_t *ldda, magma_int_t **dipiv_array, magma_int_t *info_array,   \
        void *work, magma_int_t *lwork, magma_int_t batchCount, magma_queue_t queue);                                  \
    magma_int_t magma_##letter##getrf_nopiv_vbatched(magma_int_t *m, magma_int_t *n, type **dA_array,                  \
                                                     magma_int_t *ldda, magma_int_t *info_array,                       \
                                                     magma_int_t batchCount, magma_queue_t queue);                     \
    magma_int_t magma_##letter##getrf_nopiv_expert_vbatched(                                                           \
        magma_int_t *m, magma_int_t *n, type **dA_array, magma_int_t *ldda, real *dtol_array, real eps,                \
        magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);                                         \
    magma_int_t magma_##letter##getrf_nopiv_vbatched_max_nocheck(                                                      \
        magma_int_t *m, magma_int_t *n, magma_int_t *minmn, magma_int_t max_m, magma_int_t max_n,                      \
        magma_int_t max_minmn, magma_int_t max_mxn, magma_int_t nb, magma_int_t recnb, type **dA_array,                \
        magma_int_t *ldda, real *dtol_array, real eps, magma_int_t *info_array, magma_int_t batchCount,                \
        magma_queue_t queue);                                                                                          \
    magma_int_t magma_##letter##getrf_nopiv_vbatched_max_nocheck_work(                                                 \
        magma_int_t *m, magma_int_t *n, magma_int_t max_m, magma_int_t max_n, magma_int_t max_minmn,                   \
        magma_int_t max_mxn, type **dA_array, magma_int_t *ldda, real *dtol_array, real eps, magma_int_t *info_array,  \
        void *work, magma_int_t *lwork, magma_int_t batchCount, magma_queue_t queue);                                  \
    void magma_get_##letter##getrf_vbatched_nbparam(magma_int_t max_m, magma_int_t max_n, magma_int_t *nb,             \
                                                    magma_int_t *recnb)
TEPHRA_MAGMA_VBATCHED_LU(s, float, float);
TEPHRA_MAGMA_VBATCHED_LU(d, double, double);
TEPHRA_MAGMA_VBATCHED_LU(c, magmaFloatComplex, float);
TEPHRA_MAGMA_VBATCHED_LU(z, magmaDoubleComplex, double);
#undef TEPHRA_MAGMA_VBATCHED_LU

/* The plain forms of the products and solves, and those with max, look at the sizes on the host; those without max find
 * their largest there: they wait for the queue, and are asynchronous from then on. Sizes above the told maxima are not
 * valid, but nobody is told of them. Of a member whose sizes are not valid max_nocheck touches nothing, and no code
 * tells. The arrays of sizes need batchCount entries; what is behind them is neither read nor written.
 *
 * trsm_inv_outofplace is as max_nocheck: it writes X and leaves B as it is; flag, dinvA_array and what follows it up to
 * resetozero are not looked at. */

#define TEPHRA_MAGMA_VBATCHED_BLAS(letter, type)                                                                       \
    void magmablas_##letter##gemm_vbatched(magma_trans_t transA, magma_trans_t transB, magma_int_t *m, magma_int_t *n, \
                                           magma_int_t *k, type alpha, type const *const *dA_array, magma_int_t *ldda, \
                                           type const *const *dB_array, magma_int_t *lddb, type beta, type **dC_array, \
                                           magma_int_t *lddc, magma_int_t batchCount, magma_queue_t queue);            \
    void magmablas_##letter##gemm_vbatched_nocheck(                                                                    \
        magma_trans_t transA, magma_trans_t transB, magma_int_t *m, magma_int_t *n, magma_int_t *k, type alpha,        \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, type beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_queue_t queue);                              \
    void magmablas_##letter##gemm_vbatched_max(                                                                        \
        magma_trans_t transA, magma_trans_t transB, magma_int_t *m, magma_int_t *n, magma_int_t *k, type alpha,        \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, type beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n,              \
        magma_int_t max_k, magma_queue_t queue);                                                                       \
    void magmablas_##letter##gemm_vbatched_max_nocheck(                                                                \
        magma_trans_t transA, magma_trans_t transB, magma_int_t *m, magma_int_t *n, magma_int_t *k, type alpha,        \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, type beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n,              \
        magma_int_t max_k, magma_queue_t queue);                                                                       \
    void magmablas_##letter##gemv_vbatched(magma_trans_t trans, magma_int_t *m, magma_int_t *n, type alpha,            \
                                           type **dA_array, magma_int_t *ldda, type **dx_array, magma_int_t *incx,     \
                                           type beta, type **dy_array, magma_int_t *incy, magma_int_t batchCount,      \
                                           magma_queue_t queue);                                                       \
    void magmablas_##letter##gemv_vbatched_nocheck(magma_trans_t trans, magma_int_t *m, magma_int_t *n, type alpha,    \
                                                   type **dA_array, magma_int_t *ldda, type **dx_array,                \
                                                   magma_int_t *incx, type beta, type **dy_array, magma_int_t *incy,   \
                                                   magma_int_t batchCount, magma_queue_t queue);                       \
    void magmablas_##letter##gemv_vbatched_max(magma_trans_t trans, magma_int_t *m, magma_int_t *n, type alpha,        \
                                               type **dA_array, magma_int_t *ldda, type **dx_array, magma_int_t *incx, \
                                               type beta, type **dy_array, magma_int_t *incy, magma_int_t batchCount,  \
                                               magma_int_t max_m, magma_int_t max_n, magma_queue_t queue);             \
    void magmablas_##letter##gemv_vbatched_max_nocheck(                                                                \
        magma_trans_t trans, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda,           \
        type **dx_array, magma_int_t *incx, type beta, type **dy_array, magma_int_t *incy, magma_int_t batchCount,     \
        magma_int_t max_m, magma_int_t max_n, magma_queue_t queue);                                                    \
    void magmablas_##letter##trsm_vbatched(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,                 \
                                           magma_diag_t diag, magma_int_t *m, magma_int_t *n, type alpha,              \
                                           type **dA_array, magma_int_t *ldda, type **dB_array, magma_int_t *lddb,     \
                                           magma_int_t batchCount, magma_queue_t queue);                               \
    void magmablas_##letter##trsm_vbatched_max(                                                                        \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,              \
        magma_int_t max_n, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda,             \
        type **dB_array, magma_int_t *lddb, magma_int_t batchCount, magma_queue_t queue);                              \
    void magmablas_##letter##trsm_vbatched_max_nocheck(                                                                \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,              \
        magma_int_t max_n, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda,             \
        type **dB_array, magma_int_t *lddb, magma_int_t batchCount, magma_queue_t queue);                              \
    void magmablas_##letter##trsm_vbatched_nocheck(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,         \
                                                   magma_diag_t diag, magma_int_t *m, magma_int_t *n, type alpha,      \
                                                   type **dA_array, magma_int_t *ldda, type **dB_array,                \
                                                   magma_int_t *lddb, magma_int_t batchCount, magma_queue_t queue);    \
    void magmablas_##letter##trsm_inv_vbatched(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,             \
                                               magma_diag_t diag, magma_int_t *m, magma_int_t *n, type alpha,          \
                                               type **dA_array, magma_int_t *ldda, type **dB_array, magma_int_t *lddb, \
                                               magma_int_t batchCount, magma_queue_t queue);                           \
    void magmablas_##letter##trsm_inv_vbatched_nocheck(                                                                \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t *m, magma_int_t *n, \
        type alpha, type **dA_array, magma_int_t *ldda, type **dB_array, magma_int_t *lddb, magma_int_t batchCount,    \
        magma_queue_t queue);                                                                                          \
    void magmablas_##letter##trsm_inv_vbatched_max(                                                                    \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t *m, magma_int_t *n, \
        type alpha, type **dA_array, magma_int_t *ldda, type **dB_array, magma_int_t *lddb, magma_int_t batchCount,    \
        magma_int_t max_m, magma_int_t max_n, magma_queue_t queue);                                                    \
    void magmablas_##letter##trsm_inv_vbatched_max_nocheck(                                                            \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t *m, magma_int_t *n, \
        type alpha, type **dA_array, magma_int_t *ldda, type **dB_array, magma_int_t *lddb, magma_int_t batchCount,    \
        magma_int_t max_m, magma_int_t max_n, magma_queue_t queue);                                                    \
    void magmablas_##letter##trsm_inv_outofplace_vbatched(                                                             \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t flag,               \
        magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda, type **dB_array,               \
        magma_int_t *lddb, type **dX_array, magma_int_t *lddx, type **dinvA_array, magma_int_t *dinvA_length,          \
        type **dA_displ, type **dB_displ, type **dX_displ, type **dinvA_displ, magma_int_t resetozero,                 \
        magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n, magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_BLAS(s, float);
TEPHRA_MAGMA_VBATCHED_BLAS(d, double);
TEPHRA_MAGMA_VBATCHED_BLAS(c, magmaFloatComplex);
TEPHRA_MAGMA_VBATCHED_BLAS(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_VBATCHED_BLAS

/* Symmetric and Hermitian products, and products with triangles, likewise; internal: one product, alpha op(A) op(B)' +
 * beta C, as max_nocheck. */

#define TEPHRA_MAGMA_VBATCHED_UPDATES(letter, type)                                                                    \
    void magmablas_##letter##syrk_vbatched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k,     \
                                           type alpha, type const *const *dA_array, magma_int_t *ldda, type beta,      \
                                           type **dC_array, magma_int_t *lddc, magma_int_t batchCount,                 \
                                           magma_queue_t queue);                                                       \
    void magmablas_##letter##syrk_vbatched_nocheck(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n,             \
                                                   magma_int_t *k, type alpha, type const *const *dA_array,            \
                                                   magma_int_t *ldda, type beta, type **dC_array, magma_int_t *lddc,   \
                                                   magma_int_t batchCount, magma_queue_t queue);                       \
    void magmablas_##letter##syrk_vbatched_max(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, \
                                               type alpha, type const *const *dA_array, magma_int_t *ldda, type beta,  \
                                               type **dC_array, magma_int_t *lddc, magma_int_t batchCount,             \
                                               magma_int_t max_n, magma_int_t max_k, magma_queue_t queue);             \
    void magmablas_##letter##syrk_vbatched_max_nocheck(                                                                \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, type alpha,                            \
        type const *const *dA_array, magma_int_t *ldda, type beta, type **dC_array, magma_int_t *lddc,                 \
        magma_int_t batchCount, magma_int_t max_n, magma_int_t max_k, magma_queue_t queue);                            \
    void magmablas_##letter##syr2k_vbatched(                                                                           \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, type alpha,                            \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, type beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_queue_t queue);                              \
    void magmablas_##letter##syr2k_vbatched_nocheck(                                                                   \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, type alpha,                            \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, type beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_queue_t queue);                              \
    void magmablas_##letter##syr2k_vbatched_max(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n,                \
                                                magma_int_t *k, type alpha, type const *const *dA_array,               \
                                                magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb,     \
                                                type beta, type **dC_array, magma_int_t *lddc, magma_int_t batchCount, \
                                                magma_int_t max_n, magma_int_t max_k, magma_queue_t queue);            \
    void magmablas_##letter##syr2k_vbatched_max_nocheck(                                                               \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, type alpha,                            \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, type beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_int_t max_n, magma_int_t max_k,              \
        magma_queue_t queue);                                                                                          \
    void magmablas_##letter##syrk_internal_vbatched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n,            \
                                                    magma_int_t *k, type alpha, type const *const *dA_array,           \
                                                    magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, \
                                                    type beta, type **dC_array, magma_int_t *lddc, magma_int_t max_n,  \
                                                    magma_int_t max_k, magma_int_t batchCount, magma_queue_t queue);   \
    void magmablas_##letter##trmm_vbatched(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,                 \
                                           magma_diag_t diag, magma_int_t *m, magma_int_t *n, type alpha,              \
                                           type **dA_array, magma_int_t *ldda, type **dB_array, magma_int_t *lddb,     \
                                           magma_int_t batchCount, magma_queue_t queue);                               \
    void magmablas_##letter##trmm_vbatched_nocheck(magma_side_t side, magma_uplo_t uplo, magma_trans_t transA,         \
                                                   magma_diag_t diag, magma_int_t *m, magma_int_t *n, type alpha,      \
                                                   type **dA_array, magma_int_t *ldda, type **dB_array,                \
                                                   magma_int_t *lddb, magma_int_t batchCount, magma_queue_t queue);    \
    void magmablas_##letter##trmm_vbatched_max(                                                                        \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,              \
        magma_int_t max_n, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda,             \
        type **dB_array, magma_int_t *lddb, magma_int_t batchCount, magma_queue_t queue);                              \
    void magmablas_##letter##trmm_vbatched_max_nocheck(                                                                \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,              \
        magma_int_t max_n, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda,             \
        type **dB_array, magma_int_t *lddb, magma_int_t batchCount, magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_UPDATES(s, float);
TEPHRA_MAGMA_VBATCHED_UPDATES(d, double);
TEPHRA_MAGMA_VBATCHED_UPDATES(c, magmaFloatComplex);
TEPHRA_MAGMA_VBATCHED_UPDATES(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_VBATCHED_UPDATES
#define TEPHRA_MAGMA_VBATCHED_HERMITIAN(letter, type, real)                                                            \
    void magmablas_##letter##herk_vbatched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k,     \
                                           real alpha, type const *const *dA_array, magma_int_t *ldda, real beta,      \
                                           type **dC_array, magma_int_t *lddc, magma_int_t batchCount,                 \
                                           magma_queue_t queue);                                                       \
    void magmablas_##letter##herk_vbatched_nocheck(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n,             \
                                                   magma_int_t *k, real alpha, type const *const *dA_array,            \
                                                   magma_int_t *ldda, real beta, type **dC_array, magma_int_t *lddc,   \
                                                   magma_int_t batchCount, magma_queue_t queue);                       \
    void magmablas_##letter##herk_vbatched_max(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, \
                                               real alpha, type const *const *dA_array, magma_int_t *ldda, real beta,  \
                                               type **dC_array, magma_int_t *lddc, magma_int_t batchCount,             \
                                               magma_int_t max_n, magma_int_t max_k, magma_queue_t queue);             \
    void magmablas_##letter##herk_vbatched_max_nocheck(                                                                \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, real alpha,                            \
        type const *const *dA_array, magma_int_t *ldda, real beta, type **dC_array, magma_int_t *lddc,                 \
        magma_int_t batchCount, magma_int_t max_n, magma_int_t max_k, magma_queue_t queue);                            \
    void magmablas_##letter##her2k_vbatched(                                                                           \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, type alpha,                            \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, real beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_queue_t queue);                              \
    void magmablas_##letter##her2k_vbatched_nocheck(                                                                   \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, type alpha,                            \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, real beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_queue_t queue);                              \
    void magmablas_##letter##her2k_vbatched_max(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n,                \
                                                magma_int_t *k, type alpha, type const *const *dA_array,               \
                                                magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb,     \
                                                real beta, type **dC_array, magma_int_t *lddc, magma_int_t batchCount, \
                                                magma_int_t max_n, magma_int_t max_k, magma_queue_t queue);            \
    void magmablas_##letter##her2k_vbatched_max_nocheck(                                                               \
        magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n, magma_int_t *k, type alpha,                            \
        type const *const *dA_array, magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, real beta,     \
        type **dC_array, magma_int_t *lddc, magma_int_t batchCount, magma_int_t max_n, magma_int_t max_k,              \
        magma_queue_t queue);                                                                                          \
    void magmablas_##letter##herk_internal_vbatched(magma_uplo_t uplo, magma_trans_t trans, magma_int_t *n,            \
                                                    magma_int_t *k, type alpha, type const *const *dA_array,           \
                                                    magma_int_t *ldda, type const *const *dB_array, magma_int_t *lddb, \
                                                    type beta, type **dC_array, magma_int_t *lddc, magma_int_t max_n,  \
                                                    magma_int_t max_k, magma_int_t batchCount, magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_HERMITIAN(c, magmaFloatComplex, float);
TEPHRA_MAGMA_VBATCHED_HERMITIAN(z, magmaDoubleComplex, double);
#undef TEPHRA_MAGMA_VBATCHED_HERMITIAN

/* Blocks inside of members, which begin at a row and a column of each matrix, counted from 0: what is left of a member
 * behind those, and not more than max_m, max_n, max_k (of symm and hemm, where they are above 0, specM and specN). */

#define TEPHRA_MAGMA_VBATCHED_CORE(letter, type)                                                                       \
    void magmablas_##letter##gemm_vbatched_core(                                                                       \
        magma_trans_t transA, magma_trans_t transB, magma_int_t max_m, magma_int_t max_n, magma_int_t max_k,           \
        magma_int_t *m, magma_int_t *n, magma_int_t *k, type alpha, type const *const *dA_array, magma_int_t Ai,       \
        magma_int_t Aj, magma_int_t *ldda, type const *const *dB_array, magma_int_t Bi, magma_int_t Bj,                \
        magma_int_t *lddb, type beta, type **dC_array, magma_int_t Ci, magma_int_t Cj, magma_int_t *lddc,              \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    void magmablas_##letter##trsm_vbatched_core(                                                                       \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,              \
        magma_int_t max_n, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t Ai,                \
        magma_int_t Aj, magma_int_t *ldda, type **dB_array, magma_int_t Bi, magma_int_t Bj, magma_int_t *lddb,         \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    void magmablas_##letter##trsm_small_vbatched(                                                                      \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,              \
        magma_int_t max_n, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t Ai,                \
        magma_int_t Aj, magma_int_t *ldda, type **dB_array, magma_int_t Bi, magma_int_t Bj, magma_int_t *lddb,         \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    void magmablas_##letter##trmm_vbatched_core(                                                                       \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t max_m,              \
        magma_int_t max_n, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t Ai,                \
        magma_int_t Aj, magma_int_t *ldda, type **dB_array, magma_int_t Bi, magma_int_t Bj, magma_int_t *lddb,         \
        magma_int_t batchCount, magma_queue_t queue);                                                                  \
    void magmablas_##letter##trsm_inv_work_vbatched(                                                                   \
        magma_side_t side, magma_uplo_t uplo, magma_trans_t transA, magma_diag_t diag, magma_int_t flag,               \
        magma_int_t *m, magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda, type **dB_array,               \
        magma_int_t *lddb, type **dX_array, magma_int_t *lddx, type **dinvA_array, magma_int_t *dinvA_length,          \
        type **dA_displ, type **dB_displ, type **dX_displ, type **dinvA_displ, magma_int_t resetozero,                 \
        magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n, magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_CORE(s, float);
TEPHRA_MAGMA_VBATCHED_CORE(d, double);
TEPHRA_MAGMA_VBATCHED_CORE(c, magmaFloatComplex);
TEPHRA_MAGMA_VBATCHED_CORE(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_VBATCHED_CORE
#define TEPHRA_MAGMA_VBATCHED_SYMMETRIC_CORE(letter, routine, type)                                                    \
    void magmablas_##letter##routine##_vbatched_core(                                                                  \
        magma_side_t side, magma_uplo_t uplo, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array,             \
        magma_int_t *ldda, type **dB_array, magma_int_t *lddb, type beta, type **dC_array, magma_int_t *lddc,          \
        magma_int_t max_m, magma_int_t max_n, magma_int_t roffA, magma_int_t coffA, magma_int_t roffB,                 \
        magma_int_t coffB, magma_int_t roffC, magma_int_t coffC, magma_int_t specM, magma_int_t specN,                 \
        magma_int_t batchCount, magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_SYMMETRIC_CORE(s, symm, float);
TEPHRA_MAGMA_VBATCHED_SYMMETRIC_CORE(d, symm, double);
TEPHRA_MAGMA_VBATCHED_SYMMETRIC_CORE(c, hemm, magmaFloatComplex);
TEPHRA_MAGMA_VBATCHED_SYMMETRIC_CORE(z, hemm, magmaDoubleComplex);
#undef TEPHRA_MAGMA_VBATCHED_SYMMETRIC_CORE

/* Products with symmetric and Hermitian matrices, likewise; matrices set to constants, or copied: as max_nocheck. */

#define TEPHRA_MAGMA_VBATCHED_SYMM(letter, type)                                                                       \
    void magmablas_##letter##symm_vbatched(magma_side_t side, magma_uplo_t uplo, magma_int_t *m, magma_int_t *n,       \
                                           type alpha, type **dA_array, magma_int_t *ldda, type **dB_array,            \
                                           magma_int_t *lddb, type beta, type **dC_array, magma_int_t *lddc,           \
                                           magma_int_t batchCount, magma_queue_t queue);                               \
    void magmablas_##letter##symm_vbatched_nocheck(magma_side_t side, magma_uplo_t uplo, magma_int_t *m,               \
                                                   magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda,     \
                                                   type **dB_array, magma_int_t *lddb, type beta, type **dC_array,     \
                                                   magma_int_t *lddc, magma_int_t batchCount, magma_queue_t queue);    \
    void magmablas_##letter##symm_vbatched_max(                                                                        \
        magma_side_t side, magma_uplo_t uplo, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array,             \
        magma_int_t *ldda, type **dB_array, magma_int_t *lddb, type beta, type **dC_array, magma_int_t *lddc,          \
        magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n, magma_queue_t queue);                            \
    void magmablas_##letter##symm_vbatched_max_nocheck(                                                                \
        magma_side_t side, magma_uplo_t uplo, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array,             \
        magma_int_t *ldda, type **dB_array, magma_int_t *lddb, type beta, type **dC_array, magma_int_t *lddc,          \
        magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n, magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_SYMM(s, float);
TEPHRA_MAGMA_VBATCHED_SYMM(d, double);
#undef TEPHRA_MAGMA_VBATCHED_SYMM
#define TEPHRA_MAGMA_VBATCHED_HEMM(letter, type)                                                                       \
    void magmablas_##letter##hemm_vbatched(magma_side_t side, magma_uplo_t uplo, magma_int_t *m, magma_int_t *n,       \
                                           type alpha, type **dA_array, magma_int_t *ldda, type **dB_array,            \
                                           magma_int_t *lddb, type beta, type **dC_array, magma_int_t *lddc,           \
                                           magma_int_t batchCount, magma_queue_t queue);                               \
    void magmablas_##letter##hemm_vbatched_nocheck(magma_side_t side, magma_uplo_t uplo, magma_int_t *m,               \
                                                   magma_int_t *n, type alpha, type **dA_array, magma_int_t *ldda,     \
                                                   type **dB_array, magma_int_t *lddb, type beta, type **dC_array,     \
                                                   magma_int_t *lddc, magma_int_t batchCount, magma_queue_t queue);    \
    void magmablas_##letter##hemm_vbatched_max(                                                                        \
        magma_side_t side, magma_uplo_t uplo, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array,             \
        magma_int_t *ldda, type **dB_array, magma_int_t *lddb, type beta, type **dC_array, magma_int_t *lddc,          \
        magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n, magma_queue_t queue);                            \
    void magmablas_##letter##hemm_vbatched_max_nocheck(                                                                \
        magma_side_t side, magma_uplo_t uplo, magma_int_t *m, magma_int_t *n, type alpha, type **dA_array,             \
        magma_int_t *ldda, type **dB_array, magma_int_t *lddb, type beta, type **dC_array, magma_int_t *lddc,          \
        magma_int_t batchCount, magma_int_t max_m, magma_int_t max_n, magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_HEMM(c, magmaFloatComplex);
TEPHRA_MAGMA_VBATCHED_HEMM(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_VBATCHED_HEMM
#define TEPHRA_MAGMA_VBATCHED_ASSIGNMENTS(letter, type)                                                                \
    void magmablas_##letter##laset_vbatched(magma_uplo_t uplo, magma_int_t max_m, magma_int_t max_n, magma_int_t *m,   \
                                            magma_int_t *n, type offdiag, type diag, type **dAarray,                   \
                                            magma_int_t *ldda, magma_int_t batchCount, magma_queue_t queue);           \
    void magmablas_##letter##lacpy_vbatched(magma_uplo_t uplo, magma_int_t max_m, magma_int_t max_n, magma_int_t *m,   \
                                            magma_int_t *n, type const *const *dAarray, magma_int_t *ldda,             \
                                            type **dBarray, magma_int_t *lddb, magma_int_t batchCount,                 \
                                            magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_ASSIGNMENTS(s, float);
TEPHRA_MAGMA_VBATCHED_ASSIGNMENTS(d, double);
TEPHRA_MAGMA_VBATCHED_ASSIGNMENTS(c, magmaFloatComplex);
TEPHRA_MAGMA_VBATCHED_ASSIGNMENTS(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_VBATCHED_ASSIGNMENTS

#define TEPHRA_MAGMA_VBATCHED_CHOLESKY(letter, type)                                                                   \
    magma_int_t magma_##letter##potrf_vbatched(magma_uplo_t uplo, magma_int_t *n, type **dA_array, magma_int_t *ldda,  \
                                               magma_int_t *info_array, magma_int_t batchCount, magma_queue_t queue);  \
    magma_int_t magma_##letter##potrf_vbatched_max_nocheck(                                                            \
        magma_uplo_t uplo, magma_int_t *n, type **dA_array, magma_int_t *ldda, magma_int_t *info_array,                \
        magma_int_t batchCount, magma_int_t max_n, magma_queue_t queue)
TEPHRA_MAGMA_VBATCHED_CHOLESKY(s, float);
TEPHRA_MAGMA_VBATCHED_CHOLESKY(d, double);
TEPHRA_MAGMA_VBATCHED_CHOLESKY(c, magmaFloatComplex);
TEPHRA_MAGMA_VBATCHED_CHOLESKY(z, magmaDoubleComplex);
#undef TEPHRA_MAGMA_VBATCHED_CHOLESKY

#endif /* MAGMA_TYPES_H */

/* ---- Tephra's, in MAGMA's style: the first n columns of Q. Asynchronous; info_array, which may be NULL, is set to 0,
 * unless n is 0 ---- */

#define TEPHRA_MAGMA_ORGQR(name, type)                                                                                 \
    magma_int_t magma_##name##_batched(magma_int_t m, magma_int_t n, magma_int_t k, type **dA_array, magma_int_t ldda, \
                                       type **dtau_array, magma_int_t *info_array, magma_int_t batchCount,             \
                                       magma_queue_t queue)
TEPHRA_MAGMA_ORGQR(sorgqr, float);
TEPHRA_MAGMA_ORGQR(dorgqr, double);
TEPHRA_MAGMA_ORGQR(cungqr, magmaFloatComplex);
TEPHRA_MAGMA_ORGQR(zungqr, magmaDoubleComplex);
#undef TEPHRA_MAGMA_ORGQR

#ifdef __cplusplus
}
#endif
#endif /* TEPHRA_MAGMA_H */
