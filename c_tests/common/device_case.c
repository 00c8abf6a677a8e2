#include "device_case.h"

#include <stdio.h>
#include <stdlib.h>

static tephra_status report(tephra_status status, const char *what) {
    if (status != 0) fprintf(stderr, "%s: status %d, %s\n", what, (int)status, tephra_last_error());
    return status;
}

// Creates an array of the addresses base, base + step, ... in the backend's memory.
static tephra_status upload_pointers(void ***array, char *base, size_t step, int count, void *stream) {
    const size_t bytes = sizeof(void *) * (size_t)count;
    void **list = malloc(bytes);
    tephra_status status = list ? tephra_malloc((void **)array, bytes) : TEPHRA_STATUS_OUT_OF_MEMORY;
    if (status == 0) {
        for (int i = 0; i < count; i++) list[i] = base + (size_t)i * step;
        status = tephra_memcpy(*array, list, bytes, stream);
    }
    free(list);
    return status;
}

tephra_status device_case_upload(device_case *d, const qr_case *c, void *stream) {
    const size_t a_bytes = c->matrix_bytes * (size_t)c->batch, tau_bytes = c->tau_bytes * (size_t)c->batch;
    tephra_status status = tephra_malloc((void **)&d->a, a_bytes);
    if (status == 0) status = tephra_malloc((void **)&d->tau, tau_bytes);
    if (status == 0) status = tephra_memcpy(d->a, c->f, a_bytes, stream);
    if (status == 0) status = tephra_memcpy(d->tau, c->tau, tau_bytes, stream);
    if (status == 0) status = upload_pointers(&d->a_array, d->a, c->matrix_bytes, c->batch, stream);
    if (status == 0) status = upload_pointers(&d->tau_array, d->tau, c->tau_bytes, c->batch, stream);
    return report(status, "upload");
}

tephra_status device_case_download(device_case *d, qr_case *c, void *stream) {
    tephra_status status = tephra_stream_synchronize(stream);
    if (status == 0) status = tephra_memcpy(c->f, d->a, c->matrix_bytes * (size_t)c->batch, stream);
    if (status == 0) status = tephra_memcpy(c->tau, d->tau, c->tau_bytes * (size_t)c->batch, stream);
    void *const blocks[] = {d->a, d->tau, d->a_array, d->tau_array};
    for (int i = 0; i < 4; i++) {
        const tephra_status freed = tephra_free(blocks[i]);
        if (status == 0) status = freed;
    }
    return report(status, "download");
}
