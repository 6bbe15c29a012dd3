#include <filesystem>
#include <iostream>
#include <utility>

#include "core/error.h"
#include "core/imageio/image_io.h"
#include "core/imageio/image_stream.h"
#include "core/phantom/phantom.h"
#include "gui/headless/commands.h"
#include "gui/headless/destinations.h"
#include "gui/headless/exit_code.h"

namespace bankside::headless {
namespace {

namespace fs = std::filesystem;

/// The phantom's green, times 257 to fill 16 bits, repeated over the whole picture a row at a time.
void writeMosaic(const PhantomCommand& command, const Phantom& phantom, const std::stop_token& stop) {
  const fs::path file = fs::path(command.output) / "mosaic.tiff";
  const auto sink =
      createSink({{file, ElementType::U16}}, command.mosaicHeight, command.mosaicWidth, FileFormat::Tiff);
  const auto green = phantom.photograph.view<std::uint8_t>(1);
  Image row(1, 1, command.mosaicWidth, ElementType::U16);
  std::uint16_t* dst = row.view<std::uint16_t>(0).row(0);
  for (int y = 0; y < command.mosaicHeight; ++y) {
    if (stop.stop_requested()) throw Cancelled();
    const std::uint8_t* src = green.row(y % green.height);
    for (int x = 0; x < row.width(); ++x) dst[x] = static_cast<std::uint16_t>(257 * src[x % green.width]);
    sink->writeRows(0, y, std::as_const(row).plane(0));
  }
  sink->commit(existing(command.force));
  std::cout << file.string() << "\n";
}

}  // namespace

int runPhantom(const PhantomCommand& command, std::stop_token stop) {
  const ResultFolder folder(command.output, {});
  const Phantom phantom = makePhantom({.size = command.size, .seed = command.seed});
  if (command.mosaicWidth > 0) {
    writeMosaic(command, phantom, stop);
    return exitOk;
  }
  const auto write = [&](const std::string& name, const Image& image, FileFormat format) {
    const fs::path file = fs::path(command.output) / (name + "." + toString(format));
    writeImage(file, image, format, existing(command.force));
    std::cout << file.string() << "\n";
  };
  write("phantom", phantom.photograph, FileFormat::Png);
  write("phantom_vessels", phantom.vessels, FileFormat::Png);
  write("phantom_fov", phantom.fieldOfView, FileFormat::Png);
  write("phantom_width", phantom.centreLineWidth, FileFormat::Tiff);
  return exitOk;
}

}  // namespace bankside::headless
