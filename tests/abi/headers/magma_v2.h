/* Stands in for MAGMA's own header, which no package registry has: its guards, and the public types that its
 * documentation names, defined as it defines them. tests/exports_headers.rs puts the prototypes of tests/abi/magma.tsv
 * into magma_prototypes.h. */
#ifndef MAGMA_V2_H
#define MAGMA_V2_H
#ifndef MAGMA_TYPES_H
#define MAGMA_TYPES_H
#include <assert.h>
#include <cublas_v2.h>
#include <cusparse_v2.h>
#include <stdint.h>

typedef int magma_int_t, magma_index_t, magma_device_t;
typedef unsigned int magma_uindex_t;
typedef double real_Double_t;
struct magma_queue;
typedef struct magma_queue *magma_queue_t;
typedef cudaEvent_t magma_event_t;
typedef cuFloatComplex magmaFloatComplex;
typedef cuDoubleComplex magmaDoubleComplex;
typedef void *magma_ptr;
typedef void const *magma_const_ptr;
typedef float *magmaFloat_ptr;
typedef float const *magmaFloat_const_ptr;
typedef double *magmaDouble_ptr;
typedef double const *magmaDouble_const_ptr;
typedef magmaFloatComplex *magmaFloatComplex_ptr;
typedef magmaFloatComplex const *magmaFloatComplex_const_ptr;
typedef magmaDoubleComplex *magmaDoubleComplex_ptr;
typedef magmaDoubleComplex const *magmaDoubleComplex_const_ptr;

#define MAGMA_SUCCESS 0
#define MAGMA_Z_MAKE(r, i) make_cuDoubleComplex(r, i)
#define MAGMA_Z_DIV(a, b) cuCdiv(a, b)
#define MagmaUpperStr "Upper"

typedef enum { MagmaFalse = 0, MagmaTrue = 1 } magma_bool_t;
typedef enum { MagmaRowMajor = 101, MagmaColMajor = 102 } magma_order_t;
typedef enum { MagmaNoTrans = 111, MagmaTrans = 112, MagmaConjTrans = 113 } magma_trans_t;
typedef enum { MagmaUpper = 121, MagmaLower = 122, MagmaFull = 123 } magma_uplo_t;
typedef enum { MagmaNonUnit = 131, MagmaUnit = 132 } magma_diag_t;
typedef enum { MagmaLeft = 141, MagmaRight = 142 } magma_side_t;
typedef enum { MagmaOneNorm = 171 } magma_norm_t;
typedef enum { MagmaDistUniform = 201 } magma_dist_t;
typedef enum { MagmaHermGeev = 241 } magma_sym_t;
typedef enum { MagmaNoPacking = 291 } magma_pack_t;
typedef enum { MagmaNoVec = 301 } magma_vec_t;
typedef enum { MagmaRangeAll = 311 } magma_range_t;
typedef enum { MagmaQ = 322 } magma_vect_t;
typedef enum { MagmaForward = 391 } magma_direct_t;
typedef enum { MagmaColumnwise = 401 } magma_storev_t;
typedef enum { MagmaHybrid = 701, MagmaNative = 702 } magma_mode_t;
#endif /* MAGMA_TYPES_H */

#ifdef __cplusplus
extern "C" {
#endif
#include "magma_prototypes.h"
/* Not one of Tephra's: a program that uses both libraries needs MAGMA's header whatever comes first. */
magma_int_t magma_dgetrf_gpu(magma_int_t m, magma_int_t n, magmaDouble_ptr dA, magma_int_t ldda, magma_int_t *ipiv,
                             magma_int_t *info);
static inline char lapacke_uplo_const(magma_uplo_t uplo) { return *lapack_uplo_const(uplo); }
#ifdef __cplusplus
}
#endif
#endif /* MAGMA_V2_H */
