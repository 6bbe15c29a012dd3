#include <filesystem>
#include <iostream>

#include "core/error.h"
#include "core/image_io.h"
#include "core/phantom.h"
#include "gui/headless/commands.h"
#include "gui/headless/exit_code.h"
#include "gui/headless/results.h"

namespace bankside::headless {

int runPhantom(const PhantomCommand& command) {
  namespace fs = std::filesystem;
  std::error_code failure;
  fs::create_directories(command.output, failure);
  if (!fs::is_directory(command.output)) {
    throw Error(ErrorCode::BadInput, command.output + ": cannot be made a folder");
  }
  const Phantom phantom = makePhantom({.size = command.size, .seed = command.seed});
  const auto write = [&](const std::string& name, const Image& image, FileFormat format) {
    const fs::path file = fs::path(command.output) / (name + "." + extension(format));
    publish(file, command.force, [&](const fs::path& path) { writeImage(path, image, format); });
    std::cout << file.string() << "\n";
  };
  write("phantom", phantom.photograph, FileFormat::Png);
  write("phantom_vessels", phantom.vessels, FileFormat::Png);
  write("phantom_fov", phantom.fieldOfView, FileFormat::Png);
  write("phantom_width", phantom.centreLineWidth, FileFormat::Tiff);
  return exitOk;
}

}  // namespace bankside::headless
