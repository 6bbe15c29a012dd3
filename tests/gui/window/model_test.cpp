#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/window/models/explanation_model.h"
#include "gui/window/models/inspector_model.h"
#include "gui/window/models/region_model.h"
#include "gui/window/models/timing_model.h"
#include "tests/support/made_images.h"

namespace bankside::window {
namespace {

using bankside::testing::integerBank;
using bankside::testing::integerImage;
using Mode = QAbstractItemModelTester::FailureReportingMode;

PicturePtr greyPicture() {
  auto made = std::make_shared<Picture>();
  made->path = "made.png";
  made->image = std::make_shared<const Image>(integerImage(1, 20, 30, ElementType::U8));
  made->info.width = 30;
  made->info.height = 20;
  made->info.channelNames = {"grey"};
  return made;
}

QString cell(const QAbstractItemModel& model, int row, int column) {
  return model.data(model.index(row, column), Qt::DisplayRole).toString();
}

TEST(InspectorModel, ShowsTheFilesValueAndEveryPane) {
  Session session;
  InspectorModel model(session);
  QAbstractItemModelTester tester(&model, Mode::Fatal);
  session.setPicture(greyPicture());
  session.setBank(integerBank(1, 1, 3, 3), QStringLiteral("made"));
  EXPECT_EQ(model.rowCount(), 0);
  PlaneResult result;
  result.key = {Layer::Output, 0};
  result.plane = makePlane(session.picture()->image, 0);
  session.addResult(result);
  session.setPixel(QPoint(4, 7));
  ASSERT_EQ(model.rowCount(), 2);
  const int value = session.picture()->image->view<std::uint8_t>(0).at(4, 7);
  EXPECT_EQ(cell(model, 0, InspectorModel::Value), QString::number(value));
  EXPECT_EQ(cell(model, 1, InspectorModel::Value), QString::number(value));
  EXPECT_EQ(model.asText().count(QLatin1Char('\n')), 3);
  session.setPixel(std::nullopt);
  EXPECT_EQ(model.rowCount(), 0);
}

std::shared_ptr<Measurement> measurement() {
  auto made = std::make_shared<Measurement>();
  BenchReport& report = made->report;
  report.baseline = "opencv:filter2D";
  report.problems = {ConvolutionProblem{}};
  BenchRow ours;
  ours.engine = "cpu:direct";
  ours.disposition = Disposition::Passed;
  ours.times[Phase::Compute] = timingOf({0.010, 0.011, 0.012});
  ours.times[Phase::Whole] = timingOf({0.011, 0.012, 0.013});
  ours.toBaseline = SpeedRatio{{3.5, 3.4, 3.6}, bankside::Verdict::Faster};
  BenchRow wrong;
  wrong.engine = "wrong";
  wrong.disposition = Disposition::Incorrect;
  wrong.reason = "pixel (3, 2) of plane 0: got 1, expected 0";
  BenchRow refused;
  refused.engine = "none";
  refused.disposition = Disposition::Unsupported;
  refused.reason = "too large";
  report.rows = {ours, wrong, refused};
  return made;
}

/// Whoever made the bank named its filters.
TEST(InspectorModel, NamesOfStrangersAreNoFormulasOfASheet) {
  Session session;
  InspectorModel inspector(session);
  RegionModel region(session);
  session.setPicture(greyPicture());
  Filter filter = integerBank(1, 1, 3, 3).filters().front();
  filter.label = "+A1";
  session.setBank(FilterBank({}, {filter}), QStringLiteral("made"));
  PlaneResult result;
  result.key = {Layer::Output, 0};
  result.plane = makePlane(session.picture()->image, 0);
  session.addResult(result);
  session.setPixel(QPoint(4, 7));
  session.addStatistics(result.key, result.plane, measureInside(*result.plane, nullptr));
  for (const QString& text : {inspector.asText(), region.asText('\t'), region.asText(',')}) {
    EXPECT_TRUE(text.contains(QStringLiteral("'+A1"))) << text.toStdString();
    EXPECT_FALSE(text.contains(QStringLiteral("\t+")) || text.contains(QStringLiteral(",+")))
        << text.toStdString();
  }
}

TEST(TimingModel, AnEngineThatIsWrongHasNoSpeed) {
  TimingModel model;
  QAbstractItemModelTester tester(&model, Mode::Fatal);
  model.setMeasurement(measurement());
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(cell(model, 0, TimingModel::Verdict), QStringLiteral("FASTER"));
  EXPECT_TRUE(cell(model, 0, TimingModel::Ratio).startsWith(QStringLiteral("3.50×")));
  EXPECT_TRUE(cell(model, 0, TimingModel::EndToEnd).startsWith(QStringLiteral("12.0 ms")));
  EXPECT_EQ(cell(model, 1, TimingModel::Verdict), QStringLiteral("WRONG"));
  for (const int column :
       {TimingModel::Ratio, TimingModel::EndToEnd, TimingModel::Compute, TimingModel::Rate}) {
    EXPECT_EQ(cell(model, 1, column), QString()) << column;
    EXPECT_EQ(cell(model, 2, column), QString()) << column;
  }
  EXPECT_TRUE(model.data(model.index(1, 0), TimingModel::FailedRole).toBool());
  EXPECT_TRUE(
      model.data(model.index(1, 0), Qt::ToolTipRole).toString().contains(QStringLiteral("Pixel (3, 2)")));
  EXPECT_FALSE(model.data(model.index(2, 0), TimingModel::FailedRole).toBool());
  EXPECT_EQ(model.data(model.index(2, 0), Qt::ToolTipRole).toString(), QStringLiteral("Too large"));
  model.setMeasurement(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(TimingModel, PhasesStandApartAndTheFloorIsTheLongerOfBytesAndOperations) {
  auto made = measurement();
  BenchRow& ours = made->report.rows[0];
  ours.device = "CPU";
  ours.times[Phase::Upload] = timingOf({0.001, 0.001, 0.001});
  ours.times[Phase::Combine] = timingOf({0.004, 0.004, 0.004});
  ours.times[Phase::Download] = timingOf({0, 0, 0});
  made->limits = {{.threads = 1, .target = "x", .flops = 1e9, .storeBytes = 1e9, .copyBytes = 2e9}};
  made->leastBytes = 4e6;  // 2 ms at the copy rate
  made->operations = 6e6;  // 6 ms at the multiply-add rate
  EXPECT_DOUBLE_EQ(made->floorSeconds(ours), 0.006);
  BenchRow other = ours;
  other.engine = "cpu";
  other.directSums = false;
  EXPECT_DOUBLE_EQ(made->floorSeconds(other), 0.002) << "a transform does other operations";
  other.directSums = true;
  EXPECT_DOUBLE_EQ(made->floorSeconds(other), 0.006);
  other.threads = 2;
  EXPECT_EQ(made->floorSeconds(other), 0) << "nobody measured two threads";
  other = ours;
  other.device = "a GPU";
  EXPECT_EQ(made->floorSeconds(other), 0) << "the rates are the processor's";
  made->device = MachineLimits{.threads = 0, .flops = 2e9, .copyBytes = 8e9};
  EXPECT_DOUBLE_EQ(made->floorSeconds(other), 0.003);
  EXPECT_DOUBLE_EQ(made->heldSeconds(other), other.time(Phase::Compute).median);
  EXPECT_DOUBLE_EQ(made->heldSeconds(ours), ours.time().median);
  other.engine = "cuda:tensor";
  other.directSums = false;
  EXPECT_DOUBLE_EQ(made->floorSeconds(other), 0.0005) << "tensor cores are not bound by f32 operations";
  TimingModel model;
  QAbstractItemModelTester tester(&model, Mode::Fatal);
  model.setMeasurement(made);
  EXPECT_EQ(cell(model, 0, TimingModel::Floor), QStringLiteral("50 %"));
  EXPECT_EQ(cell(model, 0, TimingModel::Upload), QStringLiteral("1.00 ms"));
  EXPECT_TRUE(cell(model, 0, TimingModel::Compute).startsWith(QStringLiteral("7.00 ms")));
  EXPECT_EQ(cell(model, 0, TimingModel::Combine), QStringLiteral("4.00 ms"));
  EXPECT_EQ(cell(model, 0, TimingModel::Download), QStringLiteral("–"));
  EXPECT_EQ(cell(model, 0, TimingModel::Bytes), QStringLiteral("0.33 GB/s"));
  const QString hint = model.data(model.index(0, TimingModel::Floor), Qt::ToolTipRole).toString();
  EXPECT_TRUE(hint.contains(QStringLiteral("2.00 ms at the copy rate"))) << hint.toStdString();
  EXPECT_EQ(cell(model, 1, TimingModel::Floor), QString()) << "who is wrong has no speed";
}

TEST(ExplanationModel, MarksTapsOutsideTheImage) {
  RunSettings settings;
  settings.picture = greyPicture();
  settings.bank = std::make_shared<const FilterBank>(integerBank(1, 1, 3, 3));
  settings.recipe.border = {BorderKind::Constant, 7};
  ExplanationModel model;
  QAbstractItemModelTester tester(&model, Mode::Fatal);
  model.setExplanation(explainPixel(settings, {}, 0, 0, 0, 10));
  ASSERT_EQ(model.rowCount(), 9);
  EXPECT_EQ(cell(model, 0, ExplanationModel::Source), QStringLiteral("constant"));
  EXPECT_TRUE(model.data(model.index(0, 0), ExplanationModel::BorderRole).toBool());
  EXPECT_FALSE(model.data(model.index(1, 0), ExplanationModel::BorderRole).toBool());
  EXPECT_TRUE(model.summary().contains(QStringLiteral("9 taps")));
  EXPECT_TRUE(model.summary().contains(QStringLiteral(", 3 outside the image")));
}

}  // namespace
}  // namespace bankside::window
