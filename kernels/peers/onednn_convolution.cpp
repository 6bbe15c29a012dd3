#include "kernels/peers/onednn_convolution.h"

namespace bankside {
namespace {

using Tag = dnnl::memory::format_tag;
constexpr auto f32 = dnnl::memory::data_type::f32;

}  // namespace

OneDnnConvolution::OneDnnConvolution(const dnnl::engine& engine, const OneDnnShape& s, const float* taps,
                                     bool planar)
    : engine_(engine), shape_(s), planar_(planar) {
  const dnnl::memory::dims srcDims = {s.batch, s.channels, s.height, s.width};
  const dnnl::memory::dims tapDims = {s.filters, s.channels, s.filterHeight, s.filterWidth};
  const dnnl::memory::dims dstDims = {s.batch, s.filters, s.outHeight(), s.outWidth()};
  const Tag wanted = planar ? Tag::nchw : Tag::any;
  // Direct, not winograd: the other engines' arithmetic.
  const dnnl::convolution_forward::desc description(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, {srcDims, f32, wanted},
      {tapDims, f32, Tag::any}, {dstDims, f32, wanted}, {1, 1}, {s.padTop, s.padLeft},
      {s.padBottom, s.padRight});
  const dnnl::convolution_forward::primitive_desc chosen(description, engine_);
  implementation_ = chosen.impl_info_str();
  convolution_ = dnnl::convolution_forward(chosen);

  dnnl::memory userTaps({tapDims, f32, Tag::oihw}, engine_, const_cast<float*>(taps));
  taps_ = dnnl::memory(chosen.weights_desc(), engine_);
  dnnl::stream stream(engine_);
  dnnl::reorder(userTaps, taps_).execute(stream, userTaps, taps_);
  stream.wait();

  const dnnl::memory::desc userSrc(srcDims, f32, Tag::nchw);
  userSrc_ = dnnl::memory(userSrc, engine_, nullptr);
  reordersIn_ = chosen.src_desc() != userSrc;
  if (reordersIn_) {
    src_ = dnnl::memory(chosen.src_desc(), engine_);
    in_ = dnnl::reorder(userSrc_, src_);
  } else {
    src_ = userSrc_;
  }
  dst_ =
      planar ? dnnl::memory(chosen.dst_desc(), engine_, nullptr) : dnnl::memory(chosen.dst_desc(), engine_);
}

void OneDnnConvolution::prepareOutput(const OneDnnPlanes& dst) {
  if (planar_ || (userDst_ && dst.planeStride == laidOut_.planeStride && dst.rowStride == laidOut_.rowStride))
    return;
  const dnnl::memory::desc description({shape_.batch, shape_.filters, shape_.outHeight(), shape_.outWidth()},
                                       f32,
                                       {dst.planeStride * shape_.filters, dst.planeStride, dst.rowStride, 1});
  userDst_ = dnnl::memory(description, engine_, nullptr);
  out_ = dnnl::reorder(dst_, userDst_);
  laidOut_ = dst;
}

void OneDnnConvolution::run(dnnl::stream& stream, const float* src, const OneDnnPlanes& dst) {
  prepareOutput(dst);
  userSrc_.set_data_handle(const_cast<float*>(src));
  if (reordersIn_) in_.execute(stream, userSrc_, src_);
  if (planar_) dst_.set_data_handle(dst.first);
  convolution_.execute(stream, {{DNNL_ARG_SRC, src_}, {DNNL_ARG_WEIGHTS, taps_}, {DNNL_ARG_DST, dst_}});
  if (!planar_) {
    userDst_.set_data_handle(dst.first);
    out_.execute(stream, dst_, userDst_);
  }
  stream.wait();
}

}  // namespace bankside
