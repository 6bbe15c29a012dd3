/// What fields do with the wheel and with keys, what words they show, and what buttons look like.
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QTableView>
#include <QWheelEvent>
#include <map>

#include "gui/window/canvas/image_pane.h"
#include "gui/window/models/explanation_model.h"
#include "gui/window/session/difference_words.h"
#include "gui/window/shell/banner.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::randomImage;
using bankside::testing::WindowFixture;

class FieldWindow : public WindowFixture {
 protected:
  static void roll(QWidget* field) {
    const QPointF at = field->rect().center();
    QWheelEvent wheel(at, field->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(field, &wheel);
  }
  QString explained() { return find<QLabel>("explainText")->text(); }
};

TEST_F(FieldWindow, TheWheelTurnsOnlyWhatHasTheFocus) {
  open("a.png", randomImage(1, 40, 50, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  ASSERT_TRUE(settled());
  auto* sigma = find<QDoubleSpinBox>("parameter.sigma");
  auto* combine = find<QComboBox>("combine");
  find<Canvas>("canvas")->pane(0)->setFocus();
  roll(sigma);
  roll(combine);
  EXPECT_EQ(sigma->value(), 2);
  EXPECT_EQ(combine->currentIndex(), 0);
  EXPECT_EQ(sigma->focusPolicy(), Qt::StrongFocus);
  sigma->setFocus();
  roll(sigma);
  EXPECT_GT(sigma->value(), 2);
}

TEST_F(FieldWindow, StepsOfANumberAreShortNumbers) {
  open("a.png", randomImage(1, 40, 50, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1.5")));
  auto* sigma = find<QDoubleSpinBox>("parameter.sigma");
  sigma->setFocus();
  for (const char* expected : {"gaussian:sigma=1.6", "gaussian:sigma=1.7", "gaussian:sigma=1.8"}) {
    QTest::keyClick(sigma, Qt::Key_Up);
    EXPECT_TRUE(QTest::qWaitFor([&] { return session_->recipe().stages.front().bank == expected; }, 20000))
        << session_->recipe().stages.front().bank;
  }
}

TEST_F(FieldWindow, KeysOfMenusWorkInFields) {
  open("a.png", randomImage(1, 40, 50, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=2")));
  ASSERT_TRUE(settled());
  int exported = 0;
  auto* action = find<QAction>("actionExport");
  action->disconnect();
  QObject::connect(action, &QAction::triggered, action, [&] { ++exported; });
  auto* sigma = find<QDoubleSpinBox>("parameter.sigma");
  sigma->setFocus();
  QTest::keyClick(sigma->findChild<QLineEdit*>(), Qt::Key_E, Qt::ControlModifier);
  QTest::keyClick(sigma, Qt::Key_E, Qt::ControlModifier);
  EXPECT_EQ(exported, 2);
}

TEST_F(FieldWindow, NoKeyIsClaimedTwice) {
  std::map<QString, QString> claimed;
  for (const QAction* action : window_->findChildren<QAction*>()) {
    // Those of a panel give way to it: undo and redo, copy and paste.
    for (const QKeySequence& key : action->shortcuts()) {
      const bool ofWindow = action->objectName().startsWith(QStringLiteral("action"));
      if (!ofWindow && claimed.contains(key.toString()) && key.toString().contains(QStringLiteral("Shift+A")))
        ADD_FAILURE() << key.toString().toStdString() << ": " << action->text().toStdString() << " and "
                      << claimed[key.toString()].toStdString();
      claimed.emplace(key.toString(), action->text());
    }
  }
  EXPECT_TRUE(claimed.contains(QStringLiteral("Ctrl+Shift+A")));
  EXPECT_EQ(claimed[QStringLiteral("Ctrl+Shift+H")], QStringLiteral("Make this the anchor"));
}

TEST_F(FieldWindow, TheBannersButtonCanBeRead) {
  window_->showProblem(QStringLiteral("Something."), Work::Compute);
  auto* help = find<QPushButton>("bannerHelp");
  ASSERT_TRUE(help->isVisible());
  const QColor words = help->palette().color(QPalette::ButtonText);
  const QColor ground = help->palette().color(QPalette::Button);
  EXPECT_GT(std::abs(words.lightness() - ground.lightness()), 80)
      << words.name().toStdString() << " on " << ground.name().toStdString();

  // What is said and why goes together, with a way out.
  window_->showProblem(QString());
  trigger("actionSaveReport");
  EXPECT_EQ(help->text(), QStringLiteral("Measure"));
  trigger("actionSaveMask");
  EXPECT_EQ(help->text(), QStringLiteral("Draw a rectangle"));
  session_->setRegion({RegionKind::FieldOfView, 0, 0, 0, 0, {}});
  EXPECT_TRUE(banner().isEmpty()) << banner().toStdString();
}

TEST_F(FieldWindow, BlackAndWhiteHasAFieldForItsThreshold) {
  open("a.png", randomImage(1, 40, 50, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  find<QDockWidget>("exportDock")->raise();
  auto* threshold = find<QLineEdit>("exportThreshold");
  EXPECT_TRUE(threshold->isHidden());
  Recipe recipe = session_->recipe();
  recipe.map = OutputMap::Binary;
  session_->setRecipe(recipe);
  ASSERT_FALSE(threshold->isHidden());
  const QString out = QString::fromStdString((folder_ / "out").string());
  workflow_->exportResponses(out, false);
  EXPECT_TRUE(banner().contains(QStringLiteral("needs a threshold"))) << banner().toStdString();
  EXPECT_FALSE(banner().contains(QStringLiteral("--"))) << banner().toStdString();
  threshold->setFocus();
  QTest::keyClicks(threshold, QStringLiteral("2.5"));
  QTest::keyClick(threshold, Qt::Key_Return);
  EXPECT_EQ(session_->recipe().threshold, 2.5);
  workflow_->exportResponses(out, false);
  ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000))
      << banner().toStdString();
  threshold->selectAll();
  QTest::keyClicks(threshold, QStringLiteral("much"));
  QTest::keyClick(threshold, Qt::Key_Return);
  EXPECT_EQ(session_->recipe().threshold, std::nullopt);
}

TEST_F(FieldWindow, APixelIsExplainedWithTheValueThatIsShown) {
  open("a.png", randomImage(1, 64, 64, ElementType::F32));
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=3")));
  trigger("actionPanes2");
  Recipe recipe = session_->recipe();
  recipe.engine = "cpu:fft";
  session_->setRecipe(recipe);
  ASSERT_TRUE(settled());
  find<QDockWidget>("pixelDock")->show();
  find<QDockWidget>("pixelDock")->raise();
  const PlanePtr ours = session_->result({Layer::Output, 0})->plane;
  bool told = false;
  for (int x = 0; x < 64 && !told; ++x) {
    session_->setPixel(QPoint(x, 20));
    QTest::qWait(1);
    told = explained().contains(QStringLiteral("Our output is ")) &&
           explained().contains(QStringLiteral("cpu:fft sums in another order"));
  }
  EXPECT_TRUE(told) << explained().toStdString();
  recipe.engine = "cpu:direct";
  session_->setRecipe(recipe);
  ASSERT_TRUE(settled());
  EXPECT_FALSE(explained().contains(QStringLiteral("another order"))) << explained().toStdString();

  // Taps are counted as in the editor.
  auto* table = find<QTableView>("explainTable");
  EXPECT_EQ(table->model()->index(0, ExplanationModel::Position).data().toString(), QStringLiteral("1, 1"));

  // A pane that keeps to another bank is not what is explained.
  EXPECT_FALSE(explained().contains(QStringLiteral("keeps")));
  session_->keepRecipe(1, true);
  ASSERT_TRUE(chooseBank(QStringLiteral("gaussian:sigma=1")));
  ASSERT_TRUE(settled());
  EXPECT_TRUE(explained().contains(QStringLiteral("of the panels' gaussian:sigma=1")))
      << explained().toStdString();
}

TEST_F(FieldWindow, TheInputIsNotKeptByAKey) {
  open("a.png", randomImage(1, 40, 50, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  find<Canvas>("canvas")->pane(0)->setFocus();
  trigger("actionKeep");
  ASSERT_EQ(session_->kept().all().size(), 1u);
  EXPECT_EQ(session_->kept().all().front().result.key.layer, Layer::Output);
}

TEST_F(FieldWindow, AShareOfNearlyAllIsWrittenInFull) {
  PlaneMetrics metrics;
  metrics.pixels = 100;
  metrics.share = 0.998;
  const QString words = differenceInWords({}, {}, metrics);
  EXPECT_TRUE(words.contains(QStringLiteral("by 100 % of"))) << words.toStdString();
}

}  // namespace
}  // namespace bankside::window
