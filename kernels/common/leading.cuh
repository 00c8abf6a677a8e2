// What leading dimensions may be.
#pragma once

namespace tephra {

// Whether a leading dimension is one of matrices with so many rows.
__device__ __forceinline__ bool leads(int ld, int rows) { return ld >= (rows > 1 ? rows : 1); }

} // namespace tephra
