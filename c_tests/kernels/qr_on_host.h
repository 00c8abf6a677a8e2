// For the tests of QR's kernels.
#pragma once
// What is only for the device has nothing to do with its parameters here.
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#include "cuda_on_host.h"

#include "tall_case.h"
