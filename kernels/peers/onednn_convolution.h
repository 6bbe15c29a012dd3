/// One shape of oneDNN's convolution with the reorders around it: planar f32 in, planar f32 out.
#pragma once

#include <cstddef>
#include <dnnl.hpp>
#include <string>

namespace bankside {

/// Shapes  src [N,C,H,W] dense · taps [F,C,kh,kw] · dst [N,F,outH,outW]
struct OneDnnShape {
  int batch = 1;
  int channels = 1;
  int height = 1;
  int width = 1;
  int filters = 1;
  int filterHeight = 1;
  int filterWidth = 1;
  int padTop = 0;  ///< zeros that oneDNN supplies itself
  int padLeft = 0;
  int padBottom = 0;
  int padRight = 0;

  bool operator==(const OneDnnShape&) const = default;
  int outHeight() const { return height + padTop + padBottom - filterHeight + 1; }
  int outWidth() const { return width + padLeft + padRight - filterWidth + 1; }
};

/// Where the planes of a result lie: evenly spaced, in elements.
struct OneDnnPlanes {
  float* first = nullptr;
  std::ptrdiff_t planeStride = 0;
  std::ptrdiff_t rowStride = 0;
};

/// `planar`: the convolution writes planes itself (nchw). Otherwise it uses the layouts it likes best
/// (nChw16c and the like) and reorders bring the pixels in and the planes out. Both count as its time.
class OneDnnConvolution {
 public:
  /// Throws dnnl::error where oneDNN has no such convolution.
  OneDnnConvolution(const dnnl::engine& engine, const OneDnnShape& shape, const float* taps, bool planar);

  /// Name of oneDNN's implementation: "jit:avx512_core".
  const std::string& implementation() const { return implementation_; }

  /// Whether planes may lie anywhere, or must be dense.
  bool takesStrides() const { return !planar_; }

  /// `dst` dense unless `takesStrides`.
  void run(dnnl::stream& stream, const float* src, const OneDnnPlanes& dst);

 private:
  void prepareOutput(const OneDnnPlanes& dst);

  dnnl::engine engine_;
  OneDnnShape shape_;
  bool planar_;
  std::string implementation_;
  dnnl::convolution_forward convolution_;
  dnnl::memory userSrc_, src_, taps_, dst_, userDst_;
  dnnl::reorder in_, out_;
  bool reordersIn_ = false;
  OneDnnPlanes laidOut_;  ///< strides that `out_` was made for
};

}  // namespace bankside
