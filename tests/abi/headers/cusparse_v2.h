/* Stands in for NVIDIA's header: what MAGMA's takes from it. */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_
struct cusparseContext;
typedef struct cusparseContext *cusparseHandle_t;
#endif
