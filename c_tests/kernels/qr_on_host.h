// Common to the tests of QR's kernels.
#pragma once
// Functions that do their work only on a device do not use their parameters here.
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "cuda_on_host.h"

#include "tall_case.h"
