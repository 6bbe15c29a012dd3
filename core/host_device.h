/// Lets one constexpr definition serve the host and CUDA device code, without a CUDA header in core.
#pragma once

#ifdef __CUDACC__
#define BANKSIDE_HOST_DEVICE __host__ __device__
#else
#define BANKSIDE_HOST_DEVICE
#endif
