/// Two banks in a row and stacks of pages, from the controls to the bytes of the headless program.

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>

#include "core/run/recipe_runner.h"
#include "kernels/engines.h"
#include "tests/gui/window/window_fixture.h"

namespace bankside::window {
namespace {

using bankside::testing::bytesOf;
using bankside::testing::randomImage;
using bankside::testing::WindowFixture;
using bankside::testing::writePages;

class StagesWindow : public WindowFixture {
 protected:
  /// Runs the copied command, exports from the window, and compares every file.
  void expectTheCommandsBytes(std::size_t files) {
    trigger("actionCopyCommand");
    QString line = QApplication::clipboard()->text();
    line.replace(0, 8, QStringLiteral(BANKSIDE_PROGRAM));
    QProcess shell;
    shell.setWorkingDirectory(QString::fromStdString(folder_.path().string()));
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line});
    ASSERT_TRUE(shell.waitForFinished(60000));
    ASSERT_EQ(shell.exitCode(), 0) << line.toStdString() << "\n"
                                   << shell.readAllStandardError().toStdString();
    workflow_->exportResponses(QString::fromStdString((folder_ / "window").string()), false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return workflow_->lastExport().has_value(); }, 60000))
        << banner().toStdString();
    EXPECT_EQ(workflow_->lastExport()->outputs.size(), files);
    for (const std::string& name : workflow_->lastExport()->outputs) {
      const std::string bytes = bytesOf(folder_ / "window" / name);
      ASSERT_FALSE(bytes.empty()) << name;
      EXPECT_EQ(bytes, bytesOf(folder_ / "out" / name)) << name;
    }
  }
  void choose(const char* name, const QString& data) {
    auto* box = find<QComboBox>(name);
    const int row = box->findData(data);
    ASSERT_GE(row, 0) << data.toStdString();
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Home);
    for (int i = 0; i < row; ++i) QTest::keyClick(box, Qt::Key_Down);
    ASSERT_EQ(box->currentIndex(), row);
  }
};

TEST_F(StagesWindow, ASecondBankIsTypedShownAndExported) {
  open("photo.png", randomImage(1, 70, 90, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  auto* bank = find<QComboBox>("thenBank");
  bank->setFocus();
  bank->lineEdit()->selectAll();
  QTest::keyClicks(bank->lineEdit(), QStringLiteral("gaussian:sigma=1.5"));
  QTest::keyClick(bank->lineEdit(), Qt::Key_Return);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->secondBank() != nullptr; }, 60000))
      << banner().toStdString();
  choose("activation", QStringLiteral("square"));
  choose("thenCombine", QStringLiteral("sum"));
  ASSERT_TRUE(settled());
  const std::vector<Stage> stages = session_->recipe().stages;
  ASSERT_EQ(stages.size(), 2u);
  EXPECT_EQ(stages[1].bank, "gaussian:sigma=1.5");
  EXPECT_EQ(stages[0].activation, Activation::Square);
  const std::size_t maps = static_cast<std::size_t>(session_->bank()->size());
  EXPECT_EQ(session_->planes().size(), 2 * maps) << "one response and one sum a map";

  EXPECT_EQ(session_->state().selectedPlane, session_->responseCount()) << "the combine that was chosen";

  // Its taps are explained over the first one's maps.
  session_->selectPlane(0);
  ASSERT_TRUE(settled());
  find<QDockWidget>("pixelDock")->raise();
  session_->setPixel(QPoint(0, 0));
  EXPECT_EQ(find<QTableView>("explainTable")->model()->rowCount(),
            (*session_->secondBank())[0].width * (*session_->secondBank())[0].height);
  EXPECT_TRUE(find<QLabel>("explainText")->text().contains(QStringLiteral("second bank")))
      << find<QLabel>("explainText")->text().toStdString();

  // What is shown is what the one runner of recipes makes.
  Runner runner =
      makeRunner(session_->recipe(), session_->runSettings().banks(), {},
                 [](const ConvolutionProblem& p) -> const Engine& { return selectEngine("auto", p); });
  ImageSource source(*session_->picture()->image);
  std::vector<Image> whole;
  runner.run(source, [&](int, const std::vector<Image>& planes) {
    for (const Image& plane : planes) whole.push_back(plane.clone());
  });
  const PlaneResult* shown = session_->result({Layer::Output, 0});
  ASSERT_NE(shown, nullptr);
  ASSERT_NE(shown->plane, nullptr) << shown->error;
  EXPECT_TRUE(samePixels(*shown->plane->image, whole[0]));
  expectTheCommandsBytes(2 * maps);

  // Taken away again by an empty field.
  bank->lineEdit()->selectAll();
  QTest::keyClick(bank->lineEdit(), Qt::Key_Delete);
  QTest::keyClick(bank->lineEdit(), Qt::Key_Return);
  EXPECT_EQ(session_->secondBank(), nullptr);
  EXPECT_EQ(session_->recipe().stages.size(), 1u);
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->planes().size(), maps);
}

TEST_F(StagesWindow, AnUnknownSecondBankIsOneSentenceAndChangesNothing) {
  open("photo.png", randomImage(1, 30, 40, ElementType::U8));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  workflow_->chooseSecondBank(QStringLiteral("no-such-bank"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return banner().contains(QStringLiteral("no-such-bank")); }, 60000));
  EXPECT_EQ(session_->recipe().stages.size(), 1u);
}

TEST_F(StagesWindow, PagesBecomeChannelsAndBack) {
  const auto file = folder_ / "stack.tif";
  writePages(file);
  window_->openPath(QString::fromStdString(file.string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000))
      << banner().toStdString();
  EXPECT_EQ(session_->picture()->info.pages, 3);
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  choose("channel", QStringLiteral("pages"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->stacked; }, 60000)) << banner().toStdString();
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->channels(), (std::vector<std::string>{"page1", "page2", "page3"}));
  const auto filters = static_cast<std::size_t>(session_->bank()->size());
  EXPECT_EQ(session_->planes().size(), 3 * filters);
  EXPECT_EQ(session_->picture()->image->view<std::uint8_t>(2).at(7, 5), 7 * 5 + 5 + 80);
  expectTheCommandsBytes(3 * filters);
  choose("channel", QStringLiteral("auto"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session_->picture()->stacked; }, 60000));
  EXPECT_EQ(session_->picture()->image->channels(), 1);
}

TEST_F(StagesWindow, PagesAreTurnedAndTheirMaximumIsTheCommandsToo) {
  const auto file = folder_ / "stack.tif";
  writePages(file);
  open("one.png", randomImage(1, 30, 40, ElementType::U8));
  EXPECT_FALSE(find<QWidget>("pageBar")->isVisible()) << "one page has no others";
  window_->openPath(QString::fromStdString(file.string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->info.pages == 3; }, 60000));
  ASSERT_TRUE(chooseBank(QStringLiteral("sobel")));
  ASSERT_TRUE(settled());
  auto* slider = find<QSlider>("pageSlider");
  auto* number = find<QSpinBox>("pageNumber");
  ASSERT_TRUE(slider->isVisible());
  EXPECT_EQ(number->text(), QStringLiteral("page 1 of 3"));
  slider->setFocus();
  QTest::keyClick(slider, Qt::Key_Right);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->page == 1; }, 60000));
  EXPECT_EQ(number->text(), QStringLiteral("page 2 of 3"));
  ASSERT_TRUE(settled());
  EXPECT_EQ(session_->shown(0).plane->value(7, 5), 7 * 5 + 5 + 40);
  QTest::keyClick(number, Qt::Key_Up);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->page == 2; }, 60000));
  EXPECT_EQ(slider->value(), 3);
  ASSERT_TRUE(settled());

  auto* largest = find<QCheckBox>("pagesLargest");
  QTest::mouseClick(largest, Qt::LeftButton, {}, {8, 8});
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture()->stacked; }, 60000)) << banner().toStdString();
  ASSERT_TRUE(settled());
  EXPECT_FALSE(slider->isVisible());
  EXPECT_TRUE(find<QLabel>("pagesTogether")->text().contains(QStringLiteral("3 pages")));
  EXPECT_EQ(session_->channels(), std::vector<std::string>{"pages-max"});
  for (const QPoint at : {QPoint(7, 5), QPoint(39, 29)}) {
    const auto pageValue = [&](int page) { return (at.x() * 5 + at.y() + 40 * page) % 256; };
    EXPECT_EQ(session_->shown(0).plane->value(at.x(), at.y()),
              static_cast<float>(std::max({pageValue(0), pageValue(1), pageValue(2)})));
  }
  expectTheCommandsBytes(static_cast<std::size_t>(session_->bank()->size()));
  trigger("actionUndo");
  ASSERT_TRUE(QTest::qWaitFor([&] { return !session_->picture()->stacked; }, 60000));
  EXPECT_FALSE(largest->isChecked());
  EXPECT_EQ(number->text(), QStringLiteral("page 3 of 3")) << "back on the page that was shown";
}

TEST_F(StagesWindow, APageThatIsGoneLeavesTheOneThatIsShown) {
  const auto file = folder_ / "stack.tif";
  writePages(file);
  window_->openPath(QString::fromStdString(file.string()));
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->picture() != nullptr; }, 60000));
  std::filesystem::remove(file);
  auto* number = find<QSpinBox>("pageNumber");
  QTest::keyClick(number, Qt::Key_Up);
  ASSERT_TRUE(QTest::qWaitFor([&] { return !banner().isEmpty(); }, 60000));
  EXPECT_EQ(session_->picture()->page, 0);
  EXPECT_EQ(number->text(), QStringLiteral("page 1 of 3"));
}

}  // namespace
}  // namespace bankside::window
