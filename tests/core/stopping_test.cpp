#include "core/stopping.h"

#include <gtest/gtest.h>

#include "core/imageio/image_io.h"
#include "core/imageio/image_stream.h"
#include "core/phantom/phantom.h"
#include "core/text_file.h"
#include "kernels/engines.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

/// A program that is to end, for as long as the test runs.
class Stopping : public ::testing::Test {
 protected:
  Stopping() {
    writeImage(file, testing::integerImage(1, 20, 30, ElementType::U8), FileFormat::Png);
    source = openSource(file);
    stop.request_stop();
    setProgramStop(stop.get_token());
  }
  ~Stopping() override { setProgramStop({}); }

  testing::TemporaryFolder folder;
  std::filesystem::path file = folder / "a.png";
  std::unique_ptr<Source> source;
  std::stop_source stop;
};

TEST_F(Stopping, NoFileIsReadOrWritten) {
  EXPECT_THROW(readImage(file), Cancelled);
  Image row(1, 1, 30, ElementType::U8);
  EXPECT_THROW(source->readRows(0, 0, row.plane(0)), Cancelled);
  for (const FileFormat format : {FileFormat::Png, FileFormat::Tiff, FileFormat::Npy})
    EXPECT_THROW(writeImage(folder / "b", row, format), Cancelled);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) EXPECT_EQ(entry.path(), file);
}

TEST_F(Stopping, NothingIsDrawnOrPrepared) {
  EXPECT_THROW(makePhantom({.size = 64}), Cancelled);
  const FilterBank bank = testing::randomBank(2, 1, 15, 15);
  const auto problem = makeProblem(bank, 1, 100, 100, ElementType::F32, ElementType::F32, {}, Combine::None);
  for (const char* engine : {"cpu:fft", "cpu:separable"})
    EXPECT_THROW(findEngine(engine)->prepare(problem, bank, {}), Cancelled) << engine;
}

}  // namespace
}  // namespace bankside
