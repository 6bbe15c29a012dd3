/// What is seen while another picture comes, and how several results are seen beside one another.
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QListWidget>
#include <QMimeData>
#include <QPushButton>
#include <QStatusBar>
#include <QUrl>
#include <algorithm>
#include <fstream>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/canvas/pane_notice.h"
#include "kernels/engines.h"
#include "tests/gui/window/odd_engines.h"
#include "tests/gui/window/picture_folder.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::PictureFolder;
using bankside::testing::randomImage;
using bankside::testing::WaitingEngine;
using bankside::testing::WindowFixture;
using Age = Session::Shown::Age;

/// Counts the times that a pane is painted without a plane, or says that it has none.
class BlankPanes final : public QObject {
 public:
  BlankPanes(const Session& session, const Canvas& canvas) : session_(session), canvas_(canvas) {
    for (int i = 0; i < mostPanes; ++i) canvas.pane(i)->installEventFilter(this);
  }
  int count() const { return count_; }
  bool eventFilter(QObject* watched, QEvent* event) override {
    for (int i = 0; event->type() == QEvent::Paint && i < canvas_.visiblePanes(); ++i) {
      if (watched != canvas_.pane(i) || !session_.picture()) continue;
      const auto notices = canvas_.pane(i)->findChildren<PaneNotice*>();
      const bool said = std::any_of(notices.begin(), notices.end(),
                                    [](const PaneNotice* each) { return !each->isHidden(); });
      if (said || session_.shown(i).plane == nullptr) ++count_;
    }
    return false;
  }

 private:
  const Session& session_;
  const Canvas& canvas_;
  int count_ = 0;
};

class ComingWindow : public WindowFixture {
 protected:
  Canvas& canvas() { return *find<Canvas>("canvas"); }
  void write(const char* name, int channels, int height, int width) {
    writeImage(folder_ / name, randomImage(channels, height, width, ElementType::U8), FileFormat::Png);
  }
  void openAndFilter(const char* name) {
    window_->openPath(QString::fromStdString((folder_ / name).string()));
    ASSERT_TRUE(opened(name));
    ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
    trigger("actionPanes4");
    ASSERT_TRUE(settled());
  }
  bool opened(const std::string& name) {
    return QTest::qWaitFor(
        [&] { return session_->picture() && session_->picture()->path.filename() == name; }, 60000);
  }
  void lookAt(const std::string& name) {
    if (PictureFolder::wanted()) PictureFolder().keep(name, window_.get());
  }
};

TEST_F(ComingWindow, NoPaneIsBlankWhenAnotherPictureComes) {
  WaitingEngine engine;
  engine.finish = true;
  makeWindow([&](const std::string&, const ConvolutionProblem&) -> const Engine& { return engine; },
             {&engine});
  write("a.png", 1, 90, 120);
  write("b.png", 3, 400, 300);
  write("c.png", 1, 400, 300);
  openAndFilter("a.png");
  const BlankPanes blank(*session_, canvas());

  // A larger one, in colour: its input is there with it, and in the place of what is not yet.
  engine.finish = false;
  const int runs = engine.started;
  QTest::keyClick(window_.get(), Qt::Key_Right, Qt::AltModifier);
  ASSERT_TRUE(opened("b.png"));
  EXPECT_EQ(session_->shown(0).age, Age::Present);
  ASSERT_NE(session_->shown(0).plane, nullptr);
  EXPECT_EQ(session_->shown(0).plane->width(), 300);
  ASSERT_TRUE(QTest::qWaitFor([&] { return engine.started > runs; }, 60000));
  QTest::qWait(1);
  for (int i = 1; i < 4; ++i) {
    EXPECT_EQ(session_->shown(i).age, Age::Instead) << i;
    EXPECT_EQ(session_->shown(i).plane, session_->shown(0).plane) << i;
  }
  lookAt("coming-larger");
  engine.finish = true;
  ASSERT_TRUE(settled());

  // One of the same size: what the one before had stays, dimmed, and says whose it is.
  engine.finish = false;
  const QImage bright = canvas().pane(1)->grab().toImage();
  QTest::keyClick(window_.get(), Qt::Key_Right, Qt::AltModifier);
  ASSERT_TRUE(opened("c.png"));
  EXPECT_EQ(session_->shown(0).age, Age::Present);
  EXPECT_TRUE(session_->shown(0).of.isEmpty());
  EXPECT_EQ(session_->shown(1).age, Age::Earlier);
  EXPECT_EQ(session_->shown(1).of, QStringLiteral("b.png"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return canvas().pane(1)->grab().toImage() != bright; }, 60000));
  lookAt("coming-alike");
  engine.finish = true;
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->shown(1).age, Age::Present);

  // The way back.
  engine.finish = false;
  trigger("actionUndo");
  ASSERT_TRUE(opened("b.png"));
  EXPECT_EQ(session_->shown(0).age, Age::Present);
  engine.finish = true;
  ASSERT_TRUE(settled());

  // One of the same name, of another folder.
  const std::filesystem::path other = folder_ / "other";
  std::filesystem::create_directory(other);
  std::filesystem::copy_file(folder_ / "c.png", other / "b.png");
  engine.finish = false;
  window_->openPath(QString::fromStdString((other / "b.png").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->path.parent_path() == other; }, 60000));
  const std::filesystem::path before = std::filesystem::path(folder_ / "b.png").parent_path().filename();
  EXPECT_EQ(session_->shown(1).of, QString::fromStdString((before / "b.png").string()));
  engine.finish = true;
  ASSERT_TRUE(settled());
  EXPECT_EQ(blank.count(), 0);
}

TEST_F(ComingWindow, SeveralPicturesThatAreDroppedAreAllThereAtOnce) {
  for (const char* name : {"a.png", "b.png", "c.png"}) write(name, 1, 90, 120);
  openAndFilter("a.png");
  const BlankPanes blank(*session_, canvas());
  QMimeData data;
  QList<QUrl> urls;
  for (const char* name : {"b.png", "c.png", "a.png"})
    urls << QUrl::fromLocalFile(QString::fromStdString((folder_ / name).string()));
  data.setUrls(urls);
  drop(data);
  ASSERT_TRUE(opened("b.png"));
  ASSERT_EQ(session_->state().panes.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(session_->shown(i).age, Age::Present) << i;
  EXPECT_NE(session_->shown(1).plane, session_->shown(0).plane);
  ASSERT_TRUE(settled());
  EXPECT_EQ(blank.count(), 0);
}

TEST_F(ComingWindow, APictureThatIsAddedWithItsInputWaitsForNothing) {
  for (const char* name : {"a.png", "b.png"}) write(name, 1, 90, 120);
  openAndFilter("a.png");
  session_->setPanes({{Layer::Input}});
  ASSERT_TRUE(settled());
  PlaneResult input;
  input.key = {Layer::Input, 0};
  input.plane = session_->shown(0).plane;
  session_->addPictures({openPicture(folder_ / "b.png", 0)}, {{input}});
  ASSERT_EQ(session_->state().panes.size(), 2u);
  EXPECT_EQ(session_->shown(1).plane, input.plane);
  for (const auto* notice : canvas().pane(1)->findChildren<PaneNotice*>()) EXPECT_TRUE(notice->isHidden());
}

TEST_F(ComingWindow, WhatComesWithAPictureIsTheChannelThatIsFiltered) {
  write("a.png", 3, 40, 50);
  write("b.png", 3, 60, 50);
  openAndFilter("a.png");
  Recipe recipe = session_->recipe();
  recipe.channel = ChannelChoice::Red;
  session_->setRecipe(recipe);
  QTest::keyClick(window_.get(), Qt::Key_Right, Qt::AltModifier);
  ASSERT_TRUE(opened("b.png"));
  EXPECT_EQ(session_->valueAt({Layer::Input, 0}, 7, 9),
            static_cast<float>(session_->picture()->image->view<std::uint8_t>(0).at(7, 9)));
  ASSERT_TRUE(settled());
  // Chosen while another is being opened: what was made is of the old choice.
  window_->openPath(QString::fromStdString((folder_ / "a.png").string()));
  recipe.channel = ChannelChoice::Blue;
  session_->setRecipe(recipe);
  ASSERT_TRUE(opened("a.png"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->valueAt({Layer::Input, 0}, 7, 9),
            static_cast<float>(session_->picture()->image->view<std::uint8_t>(2).at(7, 9)));
}

TEST_F(ComingWindow, TheInputStaysWhenAScaleIsGiven) {
  write("a.png", 1, 90, 120);
  openAndFilter("a.png");
  std::ofstream(folder_ / "scaled.json") << R"({"bankside": "recipe", "version": 4,
    "steps": [{"do": "resample", "scale": 22}, {"name": "edges", "bank": "sobel", "combine": ["magnitude"]}]})";
  window_->openPath(QString::fromStdString((folder_ / "scaled.json").string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->scaleMissing(); }, 60000)) << banner().toStdString();
  ASSERT_TRUE(settled());
  for (const double scale : {31.0, 25.0}) {
    session_->setScale(scale);
    EXPECT_EQ(session_->shown(0).age, Age::Present) << scale;
    EXPECT_NE(session_->shown(1).age, Age::Present) << scale;
    ASSERT_TRUE(settled());
    EXPECT_EQ(session_->shown(1).age, Age::Present) << banner().toStdString();
  }
}

TEST_F(ComingWindow, OneContrastIsOfAllPanes) {
  write("a.png", 1, 90, 120);
  openAndFilter("a.png");
  trigger("actionPanes2");
  session_->setPanes({{Layer::Output}, {Layer::Output}});
  session_->keepRecipe(0, true);
  ASSERT_TRUE(chooseBank(QStringLiteral("box:size=9")));
  ASSERT_TRUE(settled());
  const auto levels = [&](int pane) { return session_->shown(pane).style.levels; };
  EXPECT_EQ(levels(0), levels(1));
  const Levels both = levels(0);
  find<QDockWidget>("levelsDock")->raise();
  click(find<QAbstractButton>("levelOwn"));
  EXPECT_NE(levels(0), levels(1));
  EXPECT_EQ(both.low, std::min(levels(0).low, levels(1).low));
  EXPECT_EQ(both.high, std::max(levels(0).high, levels(1).high));
}

TEST_F(ComingWindow, WhatIsShownAsBTakesNoLiveOutputAway) {
  write("a.png", 1, 90, 120);
  openAndFilter("a.png");
  trigger("actionPanes2");
  QTest::mouseClick(canvas().pane(0), Qt::LeftButton);  // the input does not change: our output is kept
  QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
  ASSERT_EQ(session_->kept().all().size(), 1u);
  EXPECT_EQ(session_->kept().all().front().result.key.layer, Layer::Output);
  click(find<QPushButton>("keptShow"));
  ASSERT_EQ(session_->state().panes.size(), 3u);
  EXPECT_EQ(session_->state().panes[1].layer, Layer::Output);
  EXPECT_EQ(session_->state().panes[2].layer, Layer::Kept);
  EXPECT_EQ(session_->comparedPanes(), (std::array<int, 2>{0, 2}));
  click(find<QPushButton>("keptShow"));
  EXPECT_EQ(session_->state().panes.size(), 3u) << "a kept one gives its place";

  // Where there is no room it says what it takes the place of.
  trigger("actionPanes4");
  session_->setCompared(0, 1);
  ASSERT_TRUE(settled());
  click(find<QPushButton>("keptShow"));
  EXPECT_EQ(session_->state().panes[1].layer, Layer::Kept);
  EXPECT_TRUE(window_->statusBar()->currentMessage().contains(QStringLiteral("Our output")))
      << window_->statusBar()->currentMessage().toStdString();
}

}  // namespace
}  // namespace bankside::window
