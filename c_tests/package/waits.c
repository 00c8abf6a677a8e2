// Loads the library, and calls into it only after reading a line: meanwhile the test installs another library.
#include <stdio.h>
#include <tephra.h>

int main(void) {
    double a[6] = {3, 4, 0, 1, 2, 3}, tau[2];
    puts("loaded");
    fflush(stdout);
    getchar();
    if (tephra_set_backend(TEPHRA_BACKEND_CPU) != TEPHRA_STATUS_SUCCESS) return 1;
    if (tephra_dgeqrf_strided_batched(3, 2, a, 3, 6, tau, 2, 1, NULL, 0, NULL) != TEPHRA_STATUS_SUCCESS) return 2;
    puts("done");
    return a[0] != -5;
}
