#include "core/run/result_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "core/engine.h"
#include "core/imageio/image_io.h"
#include "tests/core/imageio/image_files.h"
#include "tests/support/made_images.h"

namespace bankside {
namespace {

using testing::TemporaryFolder;

std::ptrdiff_t filesIn(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

Image rowsOf(const Image& image, int firstRow, int rows) {
  Image part(1, rows, image.width(), image.type());
  ImageSource(image).readRows(0, firstRow, part.plane(0));
  return part;
}

/// What two planes become, given in bands of so many rows.
std::vector<std::string> written(const std::vector<Image>& planes, int rows, OutputMap map,
                                 ImageRun& report) {
  const TemporaryFolder folder;
  const ResultSettings settings{.folder = folder.path(), .format = FileFormat::Png, .map = map};
  const int whole = planes.front().height();
  ResultFiles files(settings, "eye", {{0, "a"}, {0, "b"}}, {"grey"}, ElementType::U8, whole, report);
  for (int y = 0; y < whole; y += rows) {
    std::vector<Image> band;
    for (const Image& plane : planes) band.push_back(rowsOf(plane, y, std::min(rows, whole - y)));
    files.write(y, band);
  }
  files.finish();
  std::vector<std::string> bytes;
  for (const std::filesystem::path& path : files.paths()) bytes.push_back(testing::readBytes(path));
  EXPECT_EQ(filesIn(folder.path()), 2);
  return bytes;
}

/// The range of all rows decides, and is known when the last has come.
TEST(ResultFiles, BandsAreStretchedAsTheWholeIs) {
  std::vector<Image> planes;
  planes.push_back(testing::randomImage(1, 50, 40, ElementType::F32, 1));
  planes.push_back(testing::randomImage(1, 50, 40, ElementType::F32, 2));
  planes[0].view<float>(0).row(49)[7] = 1e4f;
  planes[1].view<float>(0).row(3)[5] = std::numeric_limits<float>::quiet_NaN();
  ImageRun ofWhole;
  ImageRun ofBands;
  EXPECT_EQ(written(planes, 50, OutputMap::Stretch, ofWhole),
            written(planes, 7, OutputMap::Stretch, ofBands));
  EXPECT_EQ(ofWhole.nonFiniteValues, 1);
  EXPECT_EQ(ofBands.nonFiniteValues, 1);
  EXPECT_EQ(ofBands.clippedValues, ofWhole.clippedValues);
  EXPECT_EQ(ofBands.outputs, (std::vector<std::string>{"eye.a.png", "eye.b.png"}));
}

/// What is put aside is gone with whoever put it there.
TEST(ResultFiles, NothingStaysOfAnImageThatIsNotFinished) {
  const TemporaryFolder folder;
  {
    ImageRun report;
    ResultFiles files({.folder = folder.path(), .map = OutputMap::Stretch}, "eye", {{0, "a"}}, {"grey"},
                      ElementType::U8, 20, report);
    std::vector<Image> band;
    band.push_back(testing::randomImage(1, 5, 8, ElementType::F32, 1));
    files.write(0, band);
    EXPECT_EQ(filesIn(folder.path()), 1);
  }
  EXPECT_EQ(filesIn(folder.path()), 0);
}

/// Whoever gives the image up waits for no plane more: while bands come, are read back, and go to the disk.
TEST(ResultFiles, AreGivenUpBetweenAnyTwoPlanes) {
  std::vector<Image> planes;
  for (const std::uint64_t seed : {1, 2})
    planes.push_back(testing::randomImage(1, 20, 8, ElementType::F32, seed));
  constexpr int rows = 5;
  constexpr int bands = 4;
  for (const OutputMap map : {OutputMap::Stretch, OutputMap::Clip}) {
    // Before each plane of a band that is read back or mapped, and before each file.
    const int asks = (map == OutputMap::Stretch ? 2 : 1) * bands * 2 + 2;
    for (int enough = 1; enough <= asks + 1; ++enough) {
      const TemporaryFolder folder;
      int asked = 0;
      const auto write = [&] {
        ImageRun report;
        ResultFiles files({.folder = folder.path(), .format = FileFormat::Png, .map = map}, "eye",
                          {{0, "a"}, {0, "b"}}, {"grey"}, ElementType::U8, rows * bands, report);
        files.heed([&] {
          if (++asked == enough) throw Cancelled();
        });
        for (int y = 0; y < rows * bands; y += rows) {
          std::vector<Image> band;
          for (const Image& plane : planes) band.push_back(rowsOf(plane, y, rows));
          files.write(y, band);
        }
        files.finish();
      };
      if (enough <= asks) {
        EXPECT_THROW(write(), Cancelled) << enough;
        EXPECT_EQ(filesIn(folder.path()), 0);
      } else {
        write();
        EXPECT_EQ(asked, asks);
        EXPECT_EQ(filesIn(folder.path()), 2);
      }
    }
  }
}

}  // namespace
}  // namespace bankside
