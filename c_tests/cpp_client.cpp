// A C++ program that uses Tephra's native API, with overloads over the element type and RAII for the backend's memory.
// It also checks that the headers of all three APIs can be included in one translation unit.
#include "qr_case.h"

#include <complex>
#include <cstdio>
#include <memory>
#include <new>
#include <tephra.h>
#include <tephra_cublas.h>
#include <tephra_magma.h>
#include <vector>

namespace {

inline tephra_c32 *c_type(std::complex<float> *p) { return reinterpret_cast<tephra_c32 *>(p); }
inline tephra_c64 *c_type(std::complex<double> *p) { return reinterpret_cast<tephra_c64 *>(p); }
inline float *c_type(float *p) { return p; }
inline double *c_type(double *p) { return p; }

constexpr auto geqrf_of(float *) { return tephra_sgeqrf_strided_batched; }
constexpr auto geqrf_of(double *) { return tephra_dgeqrf_strided_batched; }
constexpr auto geqrf_of(tephra_c32 *) { return tephra_cgeqrf_strided_batched; }
constexpr auto geqrf_of(tephra_c64 *) { return tephra_zgeqrf_strided_batched; }

void check(tephra_status status) {
    if (status != 0) throw status;
}

// An array in the backend's memory.
template <typename T>
class device_vector {
  public:
    device_vector(const T *host, size_t count) : count_(count) {
        void *p = nullptr;
        check(tephra_malloc(&p, count * sizeof(T)));
        data_.reset(static_cast<T *>(p));
        check(tephra_memcpy(p, host, count * sizeof(T), nullptr));
    }
    T *data() { return data_.get(); }
    void copy_to(T *host) const { check(tephra_memcpy(host, data_.get(), count_ * sizeof(T), nullptr)); }

  private:
    struct release {
        void operator()(T *p) const { tephra_free(p); }
    };
    std::unique_ptr<T, release> data_;
    size_t count_;
};

template <typename T>
void factor(qr_case &c) {
    const int64_t stride = int64_t(c.lda) * c.n, stride_tau = int64_t(c.tau_bytes / sizeof(T));
    device_vector<T> a(reinterpret_cast<T *>(c.f), size_t(stride * c.batch));
    device_vector<T> tau(reinterpret_cast<T *>(c.tau), size_t(stride_tau * c.batch));
    const auto geqrf = geqrf_of(c_type(a.data()));
    check(
        geqrf(c.m, c.n, c_type(a.data()), c.lda, stride, c_type(tau.data()), stride_tau, c.batch, nullptr, 0, nullptr));
    a.copy_to(reinterpret_cast<T *>(c.f));
    tau.copy_to(reinterpret_cast<T *>(c.tau));
}

int run(qr_case *c, void *) {
    try {
        switch (c->dtype) {
        case 's':
            factor<float>(*c);
            break;
        case 'd':
            factor<double>(*c);
            break;
        case 'c':
            factor<std::complex<float>>(*c);
            break;
        case 'z':
            factor<std::complex<double>>(*c);
            break;
        }
        return 0;
    } catch (tephra_status status) {
        std::fprintf(stderr, "C++ client: status %d, %s\n", int(status), tephra_last_error());
        return 1;
    }
}

} // namespace

int main() { return qr_sweep("C++ client", run, nullptr) != 0; }
