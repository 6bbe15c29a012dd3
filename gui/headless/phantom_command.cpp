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

struct PhantomFile {
  const char* name;
  Image Phantom::*image;
  FileFormat format;
};
constexpr PhantomFile phantomFiles[] = {{"phantom", &Phantom::photograph, FileFormat::Png},
                                        {"phantom_vessels", &Phantom::vessels, FileFormat::Png},
                                        {"phantom_fov", &Phantom::fieldOfView, FileFormat::Png},
                                        {"phantom_width", &Phantom::centreLineWidth, FileFormat::Tiff}};

fs::path pathOf(const PhantomCommand& command, const PhantomFile& file) {
  return fs::path(command.output) / (std::string(file.name) + "." + toString(file.format));
}

fs::path mosaicOf(const PhantomCommand& command) { return fs::path(command.output) / "mosaic.tiff"; }

/// The phantom's green, times 257 to fill 16 bits, repeated over the whole picture a row at a time.
void writeMosaic(const PhantomCommand& command, const Phantom& phantom, const std::stop_token& stop) {
  const fs::path file = mosaicOf(command);
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
  const bool mosaic = command.mosaicWidth > 0;
  RunFiles files;
  if (mosaic) requireResultFile(mosaicOf(command), "the mosaic", files);
  for (const PhantomFile& file : phantomFiles)
    if (!mosaic) requireResultFile(pathOf(command, file), "the phantom", files);
  const Phantom phantom = makePhantom({.size = command.size, .seed = command.seed});
  if (mosaic) {
    writeMosaic(command, phantom, stop);
    return exitOk;
  }
  for (const PhantomFile& file : phantomFiles) {
    const fs::path path = pathOf(command, file);
    writeImage(path, phantom.*file.image, file.format, existing(command.force));
    std::cout << path.string() << "\n";
  }
  return exitOk;
}

}  // namespace bankside::headless
