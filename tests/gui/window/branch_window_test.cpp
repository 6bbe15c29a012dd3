/// Panes that keep to a bank or a picture of their own and go on being computed.
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QMenu>
#include <semaphore>
#include <stop_token>

#include "filters/catalog.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/session/history.h"
#include "gui/window/session/pane_comparison.h"
#include "gui/window/session/pane_message.h"
#include "kernels/engine_list.h"
#include "kernels/engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;
using bankside::testing::writePages;

class BranchWindow : public WindowFixture {
 protected:
  void SetUp() override {
    writeImage(folder_ / "first.png", randomImage(1, 60, 80, ElementType::U8), FileFormat::Png);
    writeImage(folder_ / "second.png", randomImage(1, 60, 80, ElementType::U8, 2), FileFormat::Png);
    openFile("first.png");
    ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1")));
    trigger("actionPanes2");
    session_->setPane(0, {Layer::Output});
    ASSERT_TRUE(settled());
  }
  void openFile(const std::string& name) {
    window_->openPath(QString::fromStdString((folder_ / name).string()));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return session_->picture() && session_->picture()->path.filename() == name; }, 60000));
  }
  /// Opens the menu of a pane's Keep button and clicks an entry.
  void choose(int pane, const char* entry) {
    auto* menu = find<QMenu>((QStringLiteral("keepMenu%1").arg(pane)).toLatin1().constData());
    menu->popup(window_->pos());
    auto* action = menu->findChild<QAction*>(QLatin1String(entry));
    ASSERT_NE(action, nullptr) << entry;
    ASSERT_TRUE(action->isEnabled()) << entry;
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    menu->close();
    ASSERT_TRUE(settled());
  }
  /// What a bank makes of a picture, computed apart from the window.
  std::vector<float> expected(const std::string& file, const std::string& bank) {
    RunSettings settings;
    settings.picture = openPicture(folder_ / file, 0);
    settings.bank = std::make_shared<const FilterBank>(loadBank(bank));
    settings.recipe.stages.front().bank = bank;
    std::vector<float> values;
    computePlanes(settings, {{Layer::Output, 0}}, selectEngine,
                  [&](const PlaneResult& result) {
                    if (result.key == PlaneKey{Layer::Output, 0}) values = valuesOf(result.plane);
                  },
                  {});
    return values;
  }
  static std::vector<float> valuesOf(const PlanePtr& plane) {
    std::vector<float> values;
    for (int y = 0; plane && y < plane->height(); ++y) {
      for (int x = 0; x < plane->width(); ++x) values.push_back(plane->value(x, y));
    }
    return values;
  }
  std::vector<float> shownIn(int pane) {
    const Session::Shown shown = session_->shown(pane);
    EXPECT_EQ(shown.age, Session::Shown::Age::Present) << pane;
    return valuesOf(shown.plane);
  }
};

TEST_F(BranchWindow, TwoBanksAreLiveSideBySideAndFollowThePicture) {
  choose(1, "keepRecipe");
  const PlanePtr before = session_->shown(1).plane;
  ASSERT_NE(before, nullptr);
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->shown(1).plane, before) << "another bank in the panels computes nothing of it again";
  EXPECT_EQ(shownIn(0), expected("first.png", "laplacian"));
  EXPECT_EQ(shownIn(1), expected("first.png", "gaussian:sigma=1"));
  EXPECT_EQ(session_->shown(0).style.levels, session_->shown(1).style.levels)
      << "looked at with the same eyes";
  EXPECT_TRUE(
      session_->titleOf(session_->keyOf(session_->state().panes[1])).contains(QStringLiteral("gaussian")));

  openFile("second.png");
  ASSERT_TRUE(settled());
  EXPECT_EQ(shownIn(0), expected("second.png", "laplacian"));
  EXPECT_EQ(shownIn(1), expected("second.png", "gaussian:sigma=1"));
  auto* comparison = window_->findChild<PaneComparison*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !comparison->busy() && comparison->metrics(); }, 60000));
  EXPECT_EQ(comparison->metrics()->rootMeanSquare,
            comparePlanes(*session_->shown(0).plane, *session_->shown(1).plane, nullptr).rootMeanSquare);

  choose(1, "keepRecipe");
  EXPECT_TRUE(session_->state().panes[1].branch.follows());
  EXPECT_EQ(shownIn(1), expected("second.png", "laplacian"));
}

TEST_F(BranchWindow, APaneKeepsToItsPictureUnderWhateverBank) {
  choose(1, "keepPicture");
  openFile("second.png");
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  ASSERT_TRUE(settled());
  EXPECT_EQ(shownIn(0), expected("second.png", "laplacian"));
  EXPECT_EQ(shownIn(1), expected("first.png", "laplacian"));
  choose(1, "keepRecipe");
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  ASSERT_TRUE(settled());
  EXPECT_EQ(shownIn(0), expected("second.png", "gaussian:sigma=2"));
  EXPECT_EQ(shownIn(1), expected("first.png", "laplacian")) << "neither picture nor bank are the panels'";
}

TEST_F(BranchWindow, ThePanelsEditWhatAPaneKeepsTo) {
  choose(1, "keepRecipe");
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  ASSERT_TRUE(settled());
  choose(1, "editBranch");
  EXPECT_EQ(session_->recipe().stages.front().bank, "gaussian:sigma=1");
  EXPECT_EQ(shownIn(0), expected("first.png", "laplacian"))
      << "which followed the panels, keeps to what it had";
  EXPECT_EQ(shownIn(1), expected("first.png", "gaussian:sigma=1"));
  // The panels' parameter turns the one pane, live.
  auto* sigma = find<QDoubleSpinBox>("parameter.sigma");
  const PlanePtr other = session_->shown(0).plane;
  const PlanePtr mine = session_->shown(1).plane;
  QTest::keyClick(sigma, Qt::Key_Up);
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        return session_->shown(1).plane != mine && session_->shown(1).age == Session::Shown::Age::Present;
      },
      60000));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->shown(0).plane, other);
  EXPECT_EQ(shownIn(1), expected("first.png", session_->recipe().stages.front().bank));
}

TEST_F(BranchWindow, AllOfItIsUndoneAndRedoneAndIsThereAtTheNextStart) {
  History& history = window_->history();
  history.restart();
  const SessionState start = session_->state();
  choose(1, "keepRecipe");
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  ASSERT_TRUE(settled());
  choose(0, "keepPicture");
  openFile("second.png");
  ASSERT_TRUE(settled());
  history.endAction();
  ASSERT_EQ(history.steps().size(), 5u);
  EXPECT_EQ(history.steps()[1].title, QStringLiteral("Pane 2 keeps to gaussian:sigma=1"));
  const auto kept = sessionFromJson(toJson(session_->state())).panes;
  EXPECT_EQ(kept, session_->state().panes);
  const std::vector<float> left = shownIn(0);
  const std::vector<float> right = shownIn(1);
  for (int step = 3; step >= 0; --step) {
    trigger("actionUndo");
    ASSERT_TRUE(QTest::qWaitFor([&] { return history.present() == step; }, 60000));
  }
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->state().panes, start.panes);
  EXPECT_EQ(session_->recipe(), start.recipe);
  EXPECT_EQ(shownIn(1), expected("first.png", "gaussian:sigma=1"));
  history.goTo(4);
  ASSERT_TRUE(QTest::qWaitFor([&] { return history.present() == 4; }, 60000));
  ASSERT_TRUE(settled());
  EXPECT_EQ(shownIn(0), left);
  EXPECT_EQ(shownIn(1), right);
}

TEST_F(BranchWindow, WhatCannotBeReadIsASentenceInItsPaneAlone) {
  auto panes = session_->state().panes;
  panes[1].branch.imagePath = QString::fromStdString((folder_ / "gone.png").string());
  session_->setPanes(panes);
  ASSERT_TRUE(settled());
  const PaneMessage message = messageFor(*session_, session_->keyOf(session_->state().panes[1]));
  EXPECT_TRUE(message.text.contains(QStringLiteral("gone.png"))) << message.text.toStdString();
  EXPECT_FALSE(message.pending);
  EXPECT_EQ(shownIn(0), expected("first.png", "gaussian:sigma=1"));
  panes[1].branch = {};
  panes[1].branch.recipe = session_->recipe();
  panes[1].branch.recipe->stages.front().bank = "no-such-bank";
  session_->setPanes(panes);
  ASSERT_TRUE(settled());
  EXPECT_TRUE(messageFor(*session_, session_->keyOf(session_->state().panes[1]))
                  .text.contains(QStringLiteral("no-such-bank")));
  // An edited bank travels inside.
  std::vector<Filter> filters = session_->bank()->filters();
  filters[0].taps[0] = 5;
  session_->setBank(FilterBank(session_->bank()->info(), filters), QStringLiteral("gaussian:sigma=1"), true);
  session_->setPanes({{Layer::Output}, {Layer::Output}});
  ASSERT_TRUE(settled());
  const std::vector<float> edited = shownIn(1);
  session_->keepRecipe(1, true);
  const SessionState state = session_->state();
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  session_->setPanes({{Layer::Output}});
  ASSERT_TRUE(settled());
  session_->setPanes(state.panes);
  ASSERT_TRUE(settled());
  EXPECT_EQ(shownIn(1), edited);
}

TEST_F(BranchWindow, TheKeyIsForThePaneWithTheFocus) {
  find<Canvas>("canvas")->pane(0)->setFocus();
  trigger("actionKeepRecipe");
  EXPECT_TRUE(session_->state().panes[0].branch.recipe.has_value());
  EXPECT_TRUE(session_->state().panes[1].branch.follows());
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  ASSERT_TRUE(settled());
  EXPECT_EQ(shownIn(0), expected("first.png", "gaussian:sigma=1"));
  trigger("actionKeep");
  ASSERT_EQ(session_->kept().all().size(), 1u);
  EXPECT_TRUE(session_->kept().all().front().title.contains(QStringLiteral("gaussian")));
  EXPECT_EQ(session_->kept().all().front().from.state.recipe.stages.front().bank, "gaussian:sigma=1");
}

TEST_F(BranchWindow, GoingBackComputesNothingOfAPaneThatKeepsToBoth) {
  choose(1, "keepRecipe");
  choose(1, "keepPicture");
  window_->history().restart();
  const PlanePtr before = session_->shown(1).plane;
  ASSERT_TRUE(chooseBank(QStringLiteral("laplacian")));
  ASSERT_TRUE(settled());
  trigger("actionUndo");
  ASSERT_TRUE(settled());
  EXPECT_EQ(shownIn(0), expected("first.png", "gaussian:sigma=1"));
  EXPECT_EQ(session_->shown(1).plane, before);
}

TEST_F(BranchWindow, APictureThatHasNoPagesComesBackWithTheImage) {
  writeImage(folder_ / "colour.png", randomImage(3, 60, 80, ElementType::U8), FileFormat::Png);
  writePages(folder_ / "pages.tif");
  openFile("colour.png");
  choose(1, "keepPicture");
  openFile("pages.tif");
  ASSERT_TRUE(settled());
  const std::vector<float> before = shownIn(1);
  ASSERT_FALSE(before.empty());
  const auto choosePages = [&](ChannelChoice channel) {
    Recipe recipe = session_->recipe();
    recipe.channel = channel;
    session_->setRecipe(recipe);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
          return session_->picture()->stacked == isOfPages(channel) && session_->unreadBranches().empty();
        },
        60000));
    ASSERT_TRUE(settled());
  };
  choosePages(ChannelChoice::PagesMax);
  const PlaneKey key = session_->keyOf(session_->state().panes[1]);
  EXPECT_FALSE(session_->branch(key.branch)->content.problem.isEmpty());
  choosePages(ChannelChoice::Auto);
  EXPECT_EQ(session_->branch(key.branch)->content.problem, QString());
  EXPECT_EQ(shownIn(1), before);
}

TEST_F(BranchWindow, WhatIsUnderWayOfAnotherPictureDoesNotArrive) {
  bool arrived = false;
  std::binary_semaphore sent(0);
  controller_->start(Work::Compute, {}, [&](RunController::Context& context) {
    context.deliver([&] { arrived = true; });
    sent.release();
  });
  sent.acquire();
  session_->setPicture(openPicture(folder_ / "second.png", 0));
  ASSERT_TRUE(settled());
  EXPECT_FALSE(arrived);
  EXPECT_EQ(shownIn(0), expected("second.png", "gaussian:sigma=1"));
}

TEST_F(BranchWindow, WhatNoPaneWaitsForIsStopped) {
  session_->setPanes({{Layer::Input}});
  ASSERT_TRUE(settled());
  std::binary_semaphore stopped(0);
  controller_->start(Work::Compute, {}, [&](RunController::Context& context) {
    const std::stop_callback when(context.stop, [&] { stopped.release(); });
    stopped.acquire();
  });
  session_->setPanes({{Layer::Input}, {Layer::Input}});
  EXPECT_TRUE(settled()) << "it would run for ever";
  stopped.release();
}

}  // namespace
}  // namespace bankside::window
