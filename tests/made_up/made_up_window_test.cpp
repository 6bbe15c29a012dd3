/// The window takes an engine that it has never heard of, and asks its plans what it must know.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QPushButton>
#include <algorithm>

#include "gui/window/compute/work.h"
#include "kernels/engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomBank;
using bankside::testing::randomImage;

class MadeUpWindow : public bankside::testing::WindowFixture {};

TEST_F(MadeUpWindow, OffersComputesAndMeasuresIt) {
  open("a.png", randomImage(1, 40, 50, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel"))) << banner().toStdString();
  auto* engine = find<QComboBox>("engine");
  const int at = engine->findData(QStringLiteral("madeup:cycle"));
  ASSERT_GE(at, 0);
  engine->setFocus();
  QTest::keyClick(engine, Qt::Key_Home);
  for (int i = 0; i < at; ++i) QTest::keyClick(engine, Qt::Key_Down);
  ASSERT_TRUE(settled()) << banner().toStdString();
  EXPECT_EQ(session_->recipe().engine, "madeup:cycle");
  EXPECT_EQ(workflow_->pinnedEngine(), "madeup:cycle");
  find<QComboBox>("measureEffort")->setCurrentIndex(0);
  QTest::mouseClick(find<QPushButton>("measure"), Qt::LeftButton);
  ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->measurement() != nullptr; }, 60000))
      << banner().toStdString();
  const auto& runs = workflow_->measurement()->report.rows;
  const auto ours =
      std::find_if(runs.begin(), runs.end(), [](const BenchRow& r) { return r.engine == "madeup:cycle"; });
  ASSERT_NE(ours, runs.end());
  EXPECT_EQ(ours->disposition, Disposition::Passed) << ours->reason;
}

/// Its sums begin elsewhere beside other filters, and in a part of the image.
TEST(MadeUpPlanes, AreTheWholeBanksAndPartsAreNotFinal) {
  auto picture = std::make_shared<Picture>();
  picture->info.channelNames = {"grey"};
  picture->info.channels = 1;
  picture->info.width = 2100;
  picture->info.height = 2003;
  picture->info.type = ElementType::U8;
  picture->path = "made.png";
  picture->image = std::make_shared<const Image>(randomImage(1, 2003, 2100, ElementType::U8));
  RunSettings settings;
  settings.picture = picture;
  settings.bank = std::make_shared<const FilterBank>(randomBank(3, 1, 1, 3));
  settings.recipe.engine = "madeup";
  settings.visible = {517, 1203, 300, 211};
  const PlaneKey key{Layer::Output, 2};
  PlaneResult whole;
  std::vector<PlanePatch> patches;
  computePlanes(
      settings, {key}, selectEngine, [&](PlaneResult r) { whole = std::move(r); }, {},
      [&](PlanePatch p) { patches.push_back(std::move(p)); });
  ASSERT_NE(whole.plane, nullptr) << whole.error;
  EXPECT_EQ(whole.engine, "madeup:cycle");
  EXPECT_EQ(whole.filters, 3) << "they all run";
  const auto problem = makeProblem(*settings.bank, 1, 2003, 2100, ElementType::U8, ElementType::F32,
                                   settings.recipe.border, Combine::None);
  const auto all = runWhole(*findEngine("madeup"), problem, *settings.bank, *picture->image);
  EXPECT_TRUE(samePixels(*whole.plane->image, all[2]));
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_FALSE(patches[0].final);
}

}  // namespace
}  // namespace bankside::window
