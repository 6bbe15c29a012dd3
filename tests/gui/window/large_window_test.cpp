/// Pictures that do not fit into memory: coarser copies of everything, and what is looked at in full.
#include <QAction>
#include <QLabel>
#include <QProcess>
#include <QToolBar>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/compute/last_maps.h"
#include "gui/window/session/pane_message.h"
#include "kernels/engine_list.h"
#include "kernels/engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::bytesOf;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

constexpr std::int64_t littleMemory = 1 << 20;

TEST(CoarsePlane, HoldsTheMeansOfBlocksAndTheRangeOfAllPixels) {
  Image image = randomImage(1, 37, 53, ElementType::F32);
  image.view<float>(0).at(52, 36) = 1000;
  CoarsePlane coarse({53, 37, ElementType::F32}, 2);
  for (int y = 0; y < 37; y += 7) {
    Image band(1, std::min(7, 37 - y), 53, ElementType::F32);
    for (int row = 0; row < band.height(); ++row)
      std::copy_n(image.view<float>(0).row(y + row), 53, band.view<float>(0).row(row));
    coarse.add(band);
  }
  const PlanePtr plane = coarse.take();
  EXPECT_FALSE(plane->whole());
  EXPECT_EQ(plane->width(), 53);
  EXPECT_EQ(plane->range.high, 1000);
  EXPECT_TRUE(std::isnan(plane->value(0, 0))) << "no value is made up";
  const auto copy = plane->copy(2).view<float>(0);
  ASSERT_EQ(copy.width, 14);
  ASSERT_EQ(copy.height, 10);
  for (int by = 0; by < copy.height; ++by) {
    for (int bx = 0; bx < copy.width; ++bx) {
      double sum = 0;
      int count = 0;
      for (int y = 4 * by; y < std::min(4 * by + 4, 37); ++y) {
        for (int x = 4 * bx; x < std::min(4 * bx + 4, 53); ++x, ++count) sum += image.view<float>(0).at(x, y);
      }
      EXPECT_NEAR(copy.at(bx, by), sum / count, 1e-4 * std::fabs(sum / count) + 1e-6) << bx << ' ' << by;
    }
  }
  EXPECT_EQ(levelFor(*plane, 4), 2) << "nothing finer is there";
}

TEST(CoarsePlane, ADifferenceOfOnePixelStays) {
  Image zero(1, 64, 64, ElementType::F32);
  for (int y = 0; y < 64; ++y) std::fill_n(zero.view<float>(0).row(y), 64, 0.0f);
  zero.view<float>(0).at(40, 9) = -3;
  CoarsePlane coarse({64, 64, ElementType::F32}, 3, Coarsen::Largest);
  coarse.add(zero);
  EXPECT_EQ(coarse.take()->copy(3).view<float>(0).at(5, 1), -3);
}

class LargeWindow : public WindowFixture {
 protected:
  void SetUp() override {
    workflow_->setMemory(littleMemory);
    image_ = randomImage(1, 300, 400, ElementType::U16);
    writeImage(folder_ / "large.tif", image_, FileFormat::Tiff);
    window_->openPath(QString::fromStdString((folder_ / "large.tif").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000))
        << banner().toStdString();
    ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    ASSERT_TRUE(settled()) << banner().toStdString();
  }
  /// That the window exports what the command filters with these options, which are two files.
  void expectTheExportOf(const QStringList& options) {
    workflow_->exportResponses(QString::fromStdString((folder_ / "window").string()), false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000))
        << banner().toStdString();
    QProcess headless;
    headless.start(
        QStringLiteral(BANKSIDE_PROGRAM),
        QStringList{QStringLiteral("filter"), QString::fromStdString((folder_ / "large.tif").string()),
                    QStringLiteral("--output"), QString::fromStdString((folder_ / "headless").string())} +
            options);
    ASSERT_TRUE(headless.waitForFinished(60000));
    ASSERT_EQ(headless.exitCode(), 0) << headless.readAllStandardError().toStdString();
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "window")) {
      EXPECT_TRUE(bytesOf(entry.path()) == bytesOf(folder_ / "headless" / entry.path().filename().string()))
          << entry.path();
      ++files;
    }
    EXPECT_EQ(files, 2);
  }
  /// The same planes as of a picture that is in memory.
  PlanePtr whole(const PlaneKey& key) {
    RunSettings settings = session_->runSettings();
    settings.picture = openPicture(folder_ / "large.tif", 0);
    settings.known.clear();
    PlanePtr plane;
    computePlanes(settings, {key}, selectEngine,
                  [&](const PlaneResult& result) {
                    if (result.key == key) plane = result.plane;
                  },
                  {});
    return plane;
  }
  bool partsAreThere() {
    window_->grab();
    QTest::qWait(1);
    return QTest::qWaitFor([&] { return session_->missingParts().empty(); }, 60000);
  }
  Image image_;
};

TEST_F(LargeWindow, IsShownByCoarserCopiesOfWhatTheWholeWouldBe) {
  ASSERT_EQ(session_->picture()->image, nullptr);
  const int finest = session_->picture()->finest;
  ASSERT_GT(finest, 0);
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  for (const Layer layer : {Layer::Input, Layer::Output, Layer::OpenCv, Layer::Difference}) {
    const PlaneKey key{layer, 0};
    const PlaneResult* held = session_->result(key);
    ASSERT_TRUE(held != nullptr && held->plane) << toString(layer) << (held != nullptr ? held->error : "");
    EXPECT_FALSE(held->plane->whole());
    const PlanePtr expected = whole(key);
    ASSERT_NE(expected, nullptr);
    EXPECT_EQ(held->plane->range.low, expected->range.low) << toString(layer);
    EXPECT_EQ(held->plane->range.high, expected->range.high) << toString(layer);
    const auto copy = held->plane->copy(finest).view<float>(0);
    double sum = 0;
    for (int y = 0; y < 1 << finest; ++y) {
      for (int x = 0; x < 1 << finest; ++x) sum += expected->value(x, y);
    }
    if (layer != Layer::Difference) {
      const double mean = sum / (1 << 2 * finest);
      EXPECT_NEAR(copy.at(0, 0), mean, 1e-4 * std::fabs(mean) + 1e-3) << toString(layer);
    }
  }
  EXPECT_TRUE(find<QLabel>("statusImage")->text().contains(QStringLiteral("shown 1:%1").arg(1 << finest)));
}

TEST_F(LargeWindow, WhatIsLookedAtIsThereInFullWithTheBytesOfTheWhole) {
  session_->setView({false, 8, 210, 140});
  ASSERT_TRUE(partsAreThere());
  const PlanePtr expected = whole({Layer::Output, 0});
  EXPECT_EQ(session_->valueAt({Layer::Input, 0}, 211, 141),
            static_cast<float>(image_.view<std::uint16_t>(0).at(211, 141)));
  EXPECT_EQ(session_->valueAt({Layer::Output, 0}, 211, 141), expected->value(211, 141));
  EXPECT_EQ(session_->valueAt({Layer::Output, 0}, 1, 1), std::nullopt) << "nobody looked there";
  auto* pane = find<Canvas>("canvas")->pane(1);
  const QImage shown = pane->grab().toImage().convertToFormat(QImage::Format_RGB32);
  const QPoint at(pane->width() / 2, pane->height() / 2);
  const QPoint pixel = pane->geometryNow().pixelAt(at);
  EXPECT_EQ(shown.pixel(at), colorOf(expected->value(pixel.x(), pixel.y()), session_->shown(1).style));
  // Elsewhere, and under another bank.
  session_->setView({false, 8, 60, 50});
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  ASSERT_TRUE(settled());
  ASSERT_TRUE(partsAreThere());
  EXPECT_EQ(session_->valueAt({Layer::Output, 0}, 61, 51), whole({Layer::Output, 0})->value(61, 51));
}

TEST_F(LargeWindow, PartsOfPlanesThatAreNotOnShowAreLetGo) {
  session_->setView({false, 8, 210, 140});
  ASSERT_TRUE(partsAreThere());
  ASSERT_NE(session_->patch({Layer::Output, 0}), nullptr);
  session_->selectPlane(1);
  ASSERT_TRUE(settled());
  ASSERT_TRUE(partsAreThere());
  EXPECT_NE(session_->patch({Layer::Output, 1}), nullptr);
  EXPECT_NE(session_->patch({Layer::Input, 0}), nullptr) << "it is still on show";
  EXPECT_EQ(session_->patch({Layer::Output, 0}), nullptr);
}

TEST_F(LargeWindow, APartThatCannotBeReadIsSaid) {
  QString said;
  QObject::connect(workflow_.get(), &Workflow::problem, workflow_.get(),
                   [&](const QString& sentence, Work work) {
                     if (work == Work::Compute) said = sentence;
                   });
  std::filesystem::remove(folder_ / "large.tif");
  session_->setView({false, 8, 210, 140});
  window_->grab();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !said.isEmpty(); }, 60000));
  EXPECT_TRUE(said.contains(QStringLiteral("large.tif"))) << said.toStdString();
}

class LargeSteps : public LargeWindow {
 protected:
  void SetUp() override {
    LargeWindow::SetUp();
    if (HasFatalFailure()) return;
    // Maps of the picture's size would take more than half of the memory.
    workflow_->setMemory(3 << 20);
    window_->openPath(QString::fromStdString((folder_ / "large.tif").string()));
    ASSERT_TRUE(settled());
    std::ofstream(folder_ / "small.json") << R"({"bankside":"recipe","version":4,"steps":[
      {"do":"unit"},{"do":"resample","scale":10},{"name":"edges","bank":"sobel","combine":["magnitude"]},
      {"name":"even","do":"standardize"},{"name":"both","do":"gather","takes":["edges","even"]},
      {"do":"restore"}]})";
    window_->openPath(QString::fromStdString((folder_ / "small.json").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().ofMaps(); }, 60000));
    session_->setScale(40);
    ASSERT_TRUE(settled()) << banner().toStdString();
  }
};

TEST_F(LargeSteps, AreShownByCoarserCopiesAndWhatIsLookedAtHasTheBytesOfTheWhole) {
  ASSERT_EQ(session_->picture()->image, nullptr) << "it fits";
  const int finest = session_->picture()->finest;
  trigger("actionPanes4");
  ASSERT_TRUE(settled());
  for (const Layer layer : {Layer::Output, Layer::OpenCv, Layer::Difference}) {
    const PlaneKey key{layer, 0};
    const PlaneResult* held = session_->result(key);
    ASSERT_TRUE(held != nullptr && held->plane) << toString(layer) << (held != nullptr ? held->error : "");
    EXPECT_FALSE(held->plane->whole()) << toString(layer);
    const PlanePtr expected = whole(key);
    ASSERT_NE(expected, nullptr);
    EXPECT_EQ(held->plane->range.low, expected->range.low) << toString(layer);
    EXPECT_EQ(held->plane->range.high, expected->range.high) << toString(layer);
    EXPECT_EQ(held->plane->copy(finest).width(), expected->copy(finest).width());
  }
  session_->setView({false, 8, 210, 140});
  ASSERT_TRUE(partsAreThere());
  for (const Layer layer : {Layer::Output, Layer::OpenCv, Layer::Difference}) {
    const PlaneKey key{layer, 0};
    EXPECT_EQ(session_->valueAt(key, 211, 141), whole(key)->value(211, 141)) << toString(layer);
    EXPECT_EQ(session_->valueAt(key, 1, 1), std::nullopt) << "nobody looked there";
  }
  session_->selectPlane(1);
  ASSERT_TRUE(settled());
  ASSERT_TRUE(partsAreThere());
  EXPECT_EQ(session_->valueAt({Layer::Output, 1}, 211, 141), whole({Layer::Output, 1})->value(211, 141));
}

TEST_F(LargeSteps, PanesShareTheMapsOfAPart) {
  session_->setPanes({{Layer::Output, 0}, {Layer::Output, 1}, {Layer::OpenCv, 0}, {Layer::Difference, 0}});
  ASSERT_TRUE(settled());
  const std::map<PlaneKey, PlaneResult> known = session_->freshPlanes(0);
  MapParts parts(known, {200, 130, 40, 30}, 0, {});
  const PlanePtr first = parts.part({Layer::Output, 0});
  const PlanePtr second = parts.part({Layer::Output, 1});
  ASSERT_TRUE(first && second);
  EXPECT_EQ(parts.made(), 1);
  ASSERT_NE(parts.part({Layer::Difference, 0}), nullptr);
  EXPECT_EQ(parts.made(), 2) << "OpenCV's come apart";
  EXPECT_EQ(parts.part({Layer::Output, 0}), first);
  EXPECT_EQ(first->value(11, 11), whole({Layer::Output, 0})->value(211, 141));
  EXPECT_EQ(second->value(11, 11), whole({Layer::Output, 1})->value(211, 141));
}

/// Parts cannot be had before the whole: they come with it, wherever one looks by then.
TEST_F(LargeSteps, ComeInFullWhereOneLooksWhenTheyAreThere) {
  session_->setView({false, 8, 210, 140});
  ASSERT_TRUE(partsAreThere());
  session_->setScale(50);
  ASSERT_TRUE(settled());
  ASSERT_TRUE(partsAreThere());
  EXPECT_EQ(session_->valueAt({Layer::Output, 0}, 211, 141), whole({Layer::Output, 0})->value(211, 141));
}

/// It is asked for where the picture is, and measured in a coarser copy.
TEST_F(LargeWindow, AnswersHowManyPixelsADegreeHas) {
  Image disc(3, 800, 900, ElementType::U8);
  for (int c = 0; c < 3; ++c) {
    const auto view = disc.view<std::uint8_t>(c);
    for (int y = 0; y < view.height; ++y) {
      for (int x = 0; x < view.width; ++x)
        view.at(x, y) =
            std::hypot(x - 450, y - 400) < 350 ? static_cast<std::uint8_t>(90 + c) : std::uint8_t{0};
    }
  }
  writeImage(folder_ / "disc.tif", disc, FileFormat::Tiff);
  window_->openPath(QString::fromStdString((folder_ / "disc.tif").string()));
  ASSERT_TRUE(settled()) << banner().toStdString();
  ASSERT_EQ(session_->picture()->image, nullptr) << "it fits";
  workflow_->takeAngle(35);
  ASSERT_TRUE(settled());
  const double pixels = 1 << session_->picture()->finest;
  EXPECT_NEAR(session_->state().pixelsPerDegree, 20, 3 * pixels / 35) << banner().toStdString();
}

/// Nobody can give a window --memory.
TEST_F(LargeSteps, SayWhatCanBeDoneWhereMapsOfThePicturesSizeMustBeHeld) {
  std::ofstream(folder_ / "wide.json") << R"({"bankside":"recipe","version":4,"steps":[
      {"do":"unit"},{"do":"local-mean","sigma":2}]})";
  window_->openPath(QString::fromStdString((folder_ / "wide.json").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->recipe().steps.size() == 2; }, 60000));
  ASSERT_TRUE(settled());
  const QString said = messageFor(*session_, {Layer::Output, 0}).text;
  EXPECT_TRUE(said.contains(QStringLiteral("recipes that resample first"))) << said.toStdString();
  EXPECT_FALSE(said.contains(QStringLiteral("--memory"))) << said.toStdString();
}

TEST_F(LargeSteps, AreExportedWithTheBytesOfTheCommand) {
  expectTheExportOf({QStringLiteral("--recipe"), QString::fromStdString((folder_ / "small.json").string()),
                     QStringLiteral("--scale"), QStringLiteral("40")});
}

TEST_F(LargeWindow, IsExportedWithTheBytesOfTheCommand) {
  expectTheExportOf({QStringLiteral("--bank"), QStringLiteral("sobel")});
}

/// Most memory that this process has had. Units  MiB
double peakMiB() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

class LargeStart : public WindowFixture {
 protected:
  void press(const char* action) {
    auto* bar = find<QToolBar>("mainToolBar");
    click(qobject_cast<QAbstractButton*>(bar->widgetForAction(find<QAction>(action))));
  }
};

TEST_F(LargeStart, IsOpenedByAClickAndLookedIntoByClicks) {
  workflow_->setMemory(littleMemory);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  const Image image = randomImage(1, 300, 400, ElementType::U16);
  writeImage(folder_ / "large.tif", image, FileFormat::Tiff);
  clickAndChoose(offer(QStringLiteral("Open a picture…")), folder_ / "large.tif");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000))
      << banner().toStdString();
  ASSERT_TRUE(settled()) << banner().toStdString();
  ASSERT_EQ(session_->picture()->image, nullptr) << "it fits";
  EXPECT_TRUE(find<QLabel>("statusImage")->text().contains(QStringLiteral("parts of it 1:1")))
      << find<QLabel>("statusImage")->text().toStdString();
  EXPECT_EQ(session_->shown(1).age, Session::Shown::Age::Present);

  press("actionFullSize");
  press("actionZoomIn");
  window_->grab();
  QTest::qWait(1);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->missingParts().empty(); }, 60000));
  auto* pane = find<Canvas>("canvas")->pane(0);
  const QPoint at(pane->width() / 2, pane->height() / 2);
  QTest::mouseClick(pane, Qt::LeftButton, {}, at);
  ASSERT_TRUE(session_->state().pixel);
  const QPoint pixel = *session_->state().pixel;
  EXPECT_EQ(pixel, pane->geometryNow().pixelAt(at));
  EXPECT_EQ(session_->valueAt({Layer::Input, 0}, pixel.x(), pixel.y()),
            static_cast<float>(image.view<std::uint16_t>(0).at(pixel.x(), pixel.y())));
  EXPECT_TRUE(session_->valueAt({Layer::Output, 0}, pixel.x(), pixel.y()));
}

class LargeFile : public WindowFixture {};

TEST_F(LargeFile, IsShownAndLookedIntoWithinTheMemory) {
  const char* file = std::getenv("BANKSIDE_LARGE_PICTURE");
  if (file == nullptr) GTEST_SKIP() << "asked for with BANKSIDE_LARGE_PICTURE=FILE";
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  window_->openPath(QString::fromLocal8Bit(file));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000))
      << banner().toStdString();
  ASSERT_EQ(session_->picture()->image, nullptr) << "it fits";
  const ImageInfo& info = session_->picture()->info;
  session_->setView({false, 4, info.width / 2.0, info.height / 2.0});
  window_->grab();
  const PlaneKey ours{Layer::Output, 0};
  const auto value = [&] { return session_->valueAt(ours, info.width / 2, info.height / 2); };
  ASSERT_TRUE(QTest::qWaitFor([&] { return value().has_value(); }, 600000))
      << "what is looked at comes first";
  EXPECT_FALSE(session_->fresh(ours));
  ASSERT_TRUE(settled(1800000));
  EXPECT_TRUE(session_->fresh(ours));
  std::printf("%d x %d %s: shown 1:%d, at most %.0f MiB resident\n", info.width, info.height,
              toString(info.type), 1 << session_->picture()->finest, peakMiB());
  EXPECT_LT(peakMiB(), 0.5 * static_cast<double>(machineMemory()) / (1 << 20));
}

TEST_F(LargeWindow, WhatNeedsAllPixelsAtOnceSaysSo) {
  session_->setRegion({RegionKind::Rectangle, 10, 10, 20, 20, {}});
  ASSERT_TRUE(settled());
  EXPECT_TRUE(session_->regionError().contains(QStringLiteral("fits into memory")))
      << session_->regionError().toStdString();
  session_->setRegion({});
  workflow_->measure({}, {});
  EXPECT_TRUE(banner().contains(QStringLiteral("bankside compare"))) << banner().toStdString();
}

}  // namespace
}  // namespace bankside::window
