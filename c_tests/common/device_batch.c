#include "device_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned char poison = 0xA5;

static size_t bytes_of(const device_batch *b) { return (size_t)b->stride * (size_t)b->count * element_bytes(b->dtype); }
static char *matrix(const device_batch *b, int i) {
    return b->host + (size_t)i * (size_t)b->stride * element_bytes(b->dtype);
}

static void must(tephra_status status, const char *what) {
    if (status == 0) return;
    fprintf(stderr, "%s: status %d, %s\n", what, (int)status, tephra_last_error());
    exit(1);
}

device_batch batch_create(char dtype, int m, int n, int padding, int count) {
    device_batch b = {dtype, m, n, m + padding, count, 0, NULL, NULL};
    b.stride = (int64_t)b.ld * n + 1;
    b.host = allocate(bytes_of(&b));
    memset(b.host, poison, bytes_of(&b));
    must(tephra_malloc(&b.device, bytes_of(&b)), "tephra_malloc");
    batch_upload(&b);
    return b;
}

void batch_free(device_batch *b) {
    free(b->host);
    must(tephra_free(b->device), "tephra_free");
}

void batch_set(device_batch *b, int i, const dense *a) { dense_store(a, b->dtype, matrix(b, i), b->ld); }
dense batch_get(const device_batch *b, int i) { return dense_load(b->dtype, matrix(b, i), b->m, b->n, b->ld); }
void batch_upload(device_batch *b) { must(tephra_memcpy(b->device, b->host, bytes_of(b), NULL), "upload"); }

int batch_download(device_batch *b, const char *what) {
    must(tephra_memcpy(b->host, b->device, bytes_of(b), NULL), "download");
    const size_t element = element_bytes(b->dtype);
    for (int i = 0; i < b->count; i++)
        for (int j = 0; j < b->n; j++) {
            const char *column = matrix(b, i) + (size_t)j * (size_t)b->ld * element;
            for (size_t k = (size_t)b->m * element; k < (size_t)b->ld * element; k++)
                if ((unsigned char)column[k] != poison) {
                    fprintf(stderr, "%s: padding of matrix %d was written\n", what, i);
                    return 1;
                }
        }
    return 0;
}
