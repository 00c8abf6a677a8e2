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

// Poisoned, rows m .. ld-1 (`padding` of them) for good; ends the program when there is no memory.
device_batch batch_create(char dtype, int m, int n, int padding, int count);
void batch_free(device_batch *b);
void batch_set(device_batch *b, int i, const dense *a);
dense batch_get(const device_batch *b, int i);
void batch_upload(device_batch *b);
// Call it when the stream is idle. 1 if the padding is not what it was, after a message.
int batch_download(device_batch *b, const char *what);

#endif
