// A batch of matrices of one shape in the memory of Tephra's backend, with a copy in host memory.
#ifndef DEVICE_BATCH_H
#define DEVICE_BATCH_H

#include "dense.h"
#include <tephra.h>

typedef struct {
    char dtype;
    int m, n, ld, count;
    int64_t stride; // elements from one matrix to the next
    char *host;
    void *device;
} device_batch;

// Creates a poisoned batch with `padding` extra rows, m .. ld-1, which stay poisoned. Exits the program if memory runs
// out.
device_batch batch_create(char dtype, int m, int n, int padding, int count);
void batch_free(device_batch *b);
void batch_set(device_batch *b, int i, const dense *a);
dense batch_get(const device_batch *b, int i);
void batch_upload(device_batch *b);
// Must be called when the stream is idle. Returns 1, after a message, if the padding has been modified.
int batch_download(device_batch *b, const char *what);

#endif
