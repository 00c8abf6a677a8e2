// A qr_case in the memory of Tephra's backend, for programs that do not use the CUDA runtime.
#ifndef DEVICE_CASE_H
#define DEVICE_CASE_H

#include "qr_case.h"
#include <tephra.h>

typedef struct {
    char *a, *tau;
    void **a_array, **tau_array; // also in the backend's memory
} device_case;

// Returns 0, or a tephra_status after a message.
tephra_status device_case_upload(device_case *d, const qr_case *c, void *stream);
// Waits for the stream, copies the result to c->f and c->tau, and frees the memory.
tephra_status device_case_download(device_case *d, qr_case *c, void *stream);

#endif
