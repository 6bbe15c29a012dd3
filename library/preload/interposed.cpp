/// Stands before OpenCV's filter2D in a program that is started with LD_PRELOAD=libbankside-filter2d.so.
///
///   cv::filter2D, cv::Laplacian -> cv::hal::filter2D (here) -> libbankside, or the same function of OpenCV
///
/// BANKSIDE_PRELOAD: `report` says at the program's end what was taken and what it gained, `all` takes
/// whatever comes out the same, also where it is slower (for tests), `off` nothing. Another word is said once
/// on stderr, and changes nothing.
#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "library/preload/call_report.h"
#include "library/preload/our_answer.h"

namespace cv {

/// OpenCV's own symbol, and so its own signature.
namespace hal {
__attribute__((visibility("default"))) void filter2D(
    int stype, int dtype, int kernel_type, unsigned char* src_data, std::size_t src_step,
    unsigned char* dst_data, std::size_t dst_step, int width, int height, int full_width, int full_height,
    int offset_x, int offset_y, unsigned char* kernel_data, std::size_t kernel_step, int kernel_width,
    int kernel_height, int anchor_x, int anchor_y, double delta, int borderType, bool isSubmatrix);
}  // namespace hal
}  // namespace cv

namespace bankside::preload {
namespace {

enum class Mode { Faster, All, Report, Off };

Mode readMode() {
  const char* word = std::getenv("BANKSIDE_PRELOAD");
  const std::string_view mode = word == nullptr ? "" : word;
  if (mode == "report") return Mode::Report;
  if (mode == "all") return Mode::All;
  if (mode == "off") return Mode::Off;
  if (!mode.empty())
    dprintf(STDERR_FILENO,
            "bankside: BANKSIDE_PRELOAD=%.64s is none of report, all and off, and changes nothing\n", word);
  return Mode::Faster;
}

template <typename Function>
Function* symbol(void* where, const char* name) {
  return reinterpret_cast<Function*>(dlsym(where, name));
}

class Filter2D {
 public:
  /// Lives as long as the process: filters run in destructors of programs too.
  static Filter2D& only() {
    static auto* const one = new Filter2D;
    return *one;
  }

  void answer(const FilterCall& call) {
    const char* left = mode_ == Mode::Off ? "off" : refusal(call);
    if (left == nullptr && mode_ != Mode::All) left = disadvantage(call);
    std::shared_ptr<bk_plan> plan;
    if (left == nullptr && (plan = OurAnswer::only().plan(call)) == nullptr) left = "no plan";
    const bool timed = mode_ == Mode::Report && report_.count(call, left);
    if (left != nullptr) return openCv(call);
    if (timed) return answerTimed(call, *plan);
    if (!OurAnswer::give(call, *plan)) openCv(call);
  }

  void sayReport() {
    const std::string text = report_.text();
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = write(STDERR_FILENO, text.data() + at, text.size() - at);
      if (written <= 0) return;
      at += static_cast<std::size_t>(written);
    }
  }

 private:
  using Original = decltype(cv::hal::filter2D);

  Filter2D() : original_(symbol<Original>(RTLD_NEXT, "_ZN2cv3hal8filter2DEiiiPhmS1_miiiiiiS1_miiiidib")) {
    if (mode_ == Mode::Report) std::atexit([] { only().sayReport(); });
  }

  void openCv(const FilterCall& c) const {
    if (original_ == nullptr) std::abort();  // nobody but OpenCV calls here
    original_(c.srcType, c.dstType, c.kernelType, c.src, c.srcStep, c.dst, c.dstStep, c.width, c.height,
              c.fullWidth, c.fullHeight, c.offsetX, c.offsetY, const_cast<std::uint8_t*>(c.kernel),
              c.kernelStep, c.kernelWidth, c.kernelHeight, c.anchorX, c.anchorY, c.delta, c.border,
              c.submatrix);
  }

  void answerTimed(const FilterCall& call, const bk_plan& plan) {
    std::vector<std::uint8_t> spare(call.dstStep * static_cast<std::size_t>(call.height));
    FilterCall theirs = call;
    theirs.dst = spare.data();
    const auto seconds = [](auto&& work) {
      const auto start = std::chrono::steady_clock::now();
      work();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    openCv(theirs);  // both have seen the image before they are timed
    const double openCvSeconds = seconds([&] { openCv(theirs); });
    bool done = OurAnswer::give(call, plan);
    const double ourSeconds = seconds([&] { done = OurAnswer::give(call, plan); });
    if (!done) openCv(call);
    report_.time(call, openCvSeconds, ourSeconds);
  }

  Mode mode_ = readMode();
  Original* original_;
  CallReport report_;
};

}  // namespace
}  // namespace bankside::preload

void cv::hal::filter2D(int stype, int dtype, int kernel_type, unsigned char* src_data, std::size_t src_step,
                       unsigned char* dst_data, std::size_t dst_step, int width, int height, int full_width,
                       int full_height, int offset_x, int offset_y, unsigned char* kernel_data,
                       std::size_t kernel_step, int kernel_width, int kernel_height, int anchor_x,
                       int anchor_y, double delta, int borderType, bool isSubmatrix) {
  bankside::preload::Filter2D::only().answer(
      {stype,         dtype,      kernel_type, src_data, src_step,   dst_data,    dst_step,    width,
       height,        full_width, full_height, offset_x, offset_y,   kernel_data, kernel_step, kernel_width,
       kernel_height, anchor_x,   anchor_y,    delta,    borderType, isSubmatrix});
}
