#include <random>

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QUndoStack>

#include "core/error.h"
#include "filters/catalog.h"
#include "tests/gui/bank_panel/panel_fixture.h"

namespace bankside::window {
namespace {

class FilterEditorTest : public PanelTest {
 protected:
  void put(const QString& text) { QGuiApplication::clipboard()->setText(text); }
  void keys(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
    QTest::keyClick(table, key, modifiers);
  }
  void selectRange(int top, int left, int bottom, int right) {
    const auto* model = table->model();
    table->selectionModel()->setCurrentIndex(model->index(top, left), QItemSelectionModel::NoUpdate);
    table->selectionModel()->select(QItemSelection(model->index(top, left), model->index(bottom, right)),
                                    QItemSelectionModel::ClearAndSelect);
  }
  void typeTap(const QString& text) {
    QTest::keyClicks(table, text.left(1));
    auto* line = child<QLineEdit>("tapEditor");
    ASSERT_NE(line, nullptr);
    QTest::keyClicks(line, text.mid(1));
    QTest::keyClick(line, Qt::Key_Return);
    QTest::qWait(1);  // The table takes the text, and drops its line edit, after the key's own event.
  }
  const Filter filter() { return panel.bank()[panel.selectedFilter()]; }
};

/// What Qt complains of, as long as it lives.
class Complaints {
 public:
  Complaints() { before_ = qInstallMessageHandler(take); }
  ~Complaints() { qInstallMessageHandler(before_); }
  static inline QStringList said;

 private:
  static void take(QtMsgType, const QMessageLogContext&, const QString& text) { said << text; }
  QtMessageHandler before_;
};

TEST_F(FilterEditorTest, ATapIsTakenBeforeAnotherBankComes) {
  for (const char* other : {"scharr", "gaussian:sigma=2,size=9"}) {
    edit(makeBank("sobel"));
    Complaints::said.clear();
    const Complaints complaints;
    QTest::keyClicks(table, QStringLiteral("7"));
    auto* line = child<QLineEdit>("tapEditor");
    ASSERT_NE(line, nullptr);
    QTest::keyClick(line, Qt::Key_Return);
    EXPECT_EQ(tap(0, 0), 7);
    panel.setBank(makeBank(other));  // before anything else happens
    QTest::qWait(1);
    EXPECT_EQ(Complaints::said, QStringList()) << Complaints::said.join(QLatin1Char('\n')).toStdString();
    EXPECT_EQ(table->findChild<QLineEdit*>(QStringLiteral("tapEditor")), nullptr);
    EXPECT_TRUE(sameButForName(panel.bank(), makeBank(other)))
        << "what was typed for one bank is not another's";
  }
}

TEST_F(FilterEditorTest, TypesATapAndTakesItBack) {
  edit(makeBank("sobel"));
  keys(Qt::Key_Right, {});
  keys(Qt::Key_Down, {});
  typeTap("0.75");
  EXPECT_EQ(tap(1, 1), 0.75f);
  EXPECT_EQ(edited.count(), 1);
  EXPECT_TRUE(panel.isHandEdited());
  EXPECT_EQ(panel.bank().info().generator, "");
  keys(Qt::Key_Z);
  EXPECT_EQ(tap(1, 1), 0);
  EXPECT_EQ(panel.bank().info(), makeBank("sobel").info());
  ASSERT_EQ(chosen.count(), 1) << "back at a bank that a specification makes";
  EXPECT_EQ(chosen[0][0].toString(), "sobel");
  keys(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(tap(1, 1), 0.75f);
  EXPECT_EQ(edited.count(), 2);
}

TEST_F(FilterEditorTest, RefusesAWordWithItsPlace) {
  edit(makeBank("sobel"));
  typeTap("0,5");
  EXPECT_EQ(message("editorMessage"),
            "Row 1, column 1 is \"0,5\": write decimals with a point (0.5), not a comma.");
  EXPECT_EQ(tap(0, 0), -1);
  EXPECT_EQ(edited.count(), 0);
  typeTap("3");
  EXPECT_EQ(message("editorMessage"), "");
  EXPECT_EQ(tap(0, 0), 3);
  typeTap("0,5");
  ASSERT_NE(message("editorMessage"), "");
  panel.setSelectedFilter(1);
  EXPECT_EQ(message("editorMessage"), "") << "it was of the other filter";
}

TEST_F(FilterEditorTest, PastesFromASpreadsheetAndGrows) {
  edit(makeBank("sobel"));
  put("1\t2\r\n3\t4\r\n");
  selectRange(1, 1, 1, 1);
  keys(Qt::Key_V);
  EXPECT_EQ(filter().taps, (std::vector<float>{-1, 0, 1, -2, 1, 2, -1, 3, 4}));
  EXPECT_EQ(message("editorMessage"), "Pasted 2 × 2 taps.");
  selectRange(2, 2, 2, 2);
  keys(Qt::Key_V);
  EXPECT_EQ(filter().height, 4);
  EXPECT_EQ(filter().width, 4);
  EXPECT_EQ(tap(3, 3), 4);
  EXPECT_EQ(message("editorMessage"), "Pasted 2 × 2 taps; the filter grew to 4 × 4.");
  put("0.5 0.25 0.125");
  keys(Qt::Key_V, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(filter().taps, (std::vector<float>{0.5f, 0.25f, 0.125f}));
  EXPECT_EQ(filter().anchorX, 1);
  for (int step = 0; step < 3; ++step) keys(Qt::Key_Z);
  EXPECT_TRUE(sameButForName(panel.bank(), makeBank("sobel")));
}

TEST_F(FilterEditorTest, ABadPasteChangesNothing) {
  edit(makeBank("sobel"));
  for (const auto& [text, sentence] : std::vector<std::pair<QString, QString>>{
           {"1\t2\n3\t0,5", "Row 2, column 2 is \"0,5\": write decimals with a point (0.5), not a comma."},
           {"1 2\n3", "Row 2 has 1 values where row 1 has 2."},
           {"a picture", "Row 1, column 1 is \"a\", which is not a number."},
           {"", "There is no text to paste."}}) {
    put(text);
    keys(Qt::Key_V);
    EXPECT_EQ(message("editorMessage"), sentence);
  }
  EXPECT_TRUE(sameButForName(panel.bank(), makeBank("sobel")));
  EXPECT_EQ(panel.undoStack().count(), 0);
}

TEST_F(FilterEditorTest, CopiesFillsAndClears) {
  edit(makeBank("sobel"));
  selectRange(0, 1, 1, 2);
  keys(Qt::Key_C);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), "0\t1\n0\t2\n");
  selectRange(0, 2, 2, 2);
  keys(Qt::Key_D);
  EXPECT_EQ(filter().taps, (std::vector<float>{-1, 0, 1, -2, 0, 1, -1, 0, 1}));
  selectRange(1, 0, 2, 1);
  keys(Qt::Key_Delete, {});
  EXPECT_EQ(filter().taps, (std::vector<float>{-1, 0, 1, 0, 0, 1, 0, 0, 1}));
}

TEST_F(FilterEditorTest, AnchorAndShape) {
  edit(makeBank("sobel"));
  selectRange(0, 2, 0, 2);
  keys(Qt::Key_H, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(filter().anchorX, 2);
  EXPECT_EQ(filter().anchorY, 0);
  enter(child<QWidget>("anchorRowField"), "2");
  enter(child<QWidget>("anchorColumnField"), "2");
  EXPECT_EQ(filter().anchorX, 1);
  EXPECT_EQ(filter().anchorY, 1);
  enter(child<QWidget>("rowsField"), "5");
  EXPECT_EQ(filter().height, 5);
  EXPECT_EQ(filter().anchorY, 2);
  EXPECT_EQ(tap(2, 0), -2);
  EXPECT_EQ(table->model()->rowCount(), 5);
  enter(child<QWidget>("columnsField"), "2");
  EXPECT_EQ(filter().width, 2);
  EXPECT_EQ(filter().anchorX, 1);
}

TEST_F(FilterEditorTest, NormalisesTurnsAndSaysWhy) {
  edit(makeBank("sobel"));
  child<QAction>("unitSum")->trigger();
  EXPECT_TRUE(message("editorMessage").startsWith("The taps sum to zero"));
  EXPECT_EQ(edited.count(), 0);
  child<QAction>("transpose")->trigger();
  EXPECT_EQ(filter().taps, (std::vector<float>{-1, -2, -1, 0, 0, 0, 1, 2, 1}));
  EXPECT_EQ(filter().orientation, 90);
  child<QAction>("rotate180")->trigger();
  child<QAction>("mirrorTopBottom")->trigger();
  EXPECT_EQ(filter().taps, (std::vector<float>{-1, -2, -1, 0, 0, 0, 1, 2, 1}));
  selectRange(0, 0, 0, 0);
  typeTap("7");
  child<QAction>("unitSum")->trigger();
  EXPECT_FLOAT_EQ(tap(0, 0), 7.0f / 8);
  child<QAction>("zeroMean")->trigger();
  double sum = 0;
  for (const float t : filter().taps) sum += t;
  EXPECT_NEAR(sum, 0, 1e-6);
  EXPECT_TRUE(child<QLabel>("readoutSum")->text().startsWith("0"));
}

TEST_F(FilterEditorTest, ReadsOut) {
  edit(makeBank("sobel"));
  EXPECT_EQ(child<QLabel>("readoutSum")->text(), "0");
  EXPECT_EQ(child<QLabel>("readoutAbsoluteSum")->text(), "8");
  EXPECT_EQ(child<QLabel>("readoutSymmetry")->text(), "odd, top = bottom");
  EXPECT_EQ(child<QLabel>("readoutRank")->text(), "1 of 3: separable");
  const QImage picture = child<QWidget>("frequencyResponse")->grab().toImage();
  const int middle = picture.width() / 2;
  EXPECT_EQ(qGray(picture.pixel(middle, middle)), 0) << "a zero-sum filter passes no constant";
  EXPECT_GT(qGray(picture.pixel(middle / 2, middle)), 200) << "d/dx answers along x";
  EXPECT_EQ(qGray(picture.pixel(middle, middle / 2)), 0);
  selectRange(0, 0, 0, 0);
  typeTap("5");
  EXPECT_EQ(child<QLabel>("readoutSum")->text(), "6");
  EXPECT_EQ(child<QLabel>("readoutSymmetry")->text(), "none");
  EXPECT_EQ(child<QLabel>("readoutRank")->text(), "2 of 3");
}

TEST_F(FilterEditorTest, DescribesFilterAndBank) {
  edit(makeBank("sobel"));
  enter(child<QLineEdit>("labelField"), "gradient-x");
  enter(child<QLineEdit>("orientationField"), "12.5");
  enter(child<QLineEdit>("scaleField"), "2");
  EXPECT_EQ(filter().label, "gradient-x");
  EXPECT_EQ(filter().orientation, 12.5);
  EXPECT_EQ(filter().scale, 2);
  type(child<QLineEdit>("scaleField"), "");
  QTest::keyClick(child<QLineEdit>("scaleField"), Qt::Key_Delete);
  QTest::keyClick(child<QLineEdit>("scaleField"), Qt::Key_Return);
  EXPECT_EQ(filter().scale, std::nullopt);
  enter(child<QLineEdit>("bankTitleField"), "My edges");
  EXPECT_EQ(panel.bank().info().title, "My edges");
  auto* mode = child<QComboBox>("modeField");
  mode->setFocus();
  QTest::keyClick(mode, Qt::Key_Down);
  EXPECT_EQ(panel.bank().info().mode, FilterMode::Convolution);
  EXPECT_EQ(panel.bank().info().title, "My edges");
  while (panel.undoStack().canUndo()) panel.undoStack().undo();
  EXPECT_EQ(panel.bank().info(), makeBank("sobel").info());
}

TEST_F(FilterEditorTest, RefusesBadDescriptions) {
  edit(makeBank("sobel"));
  enter(child<QLineEdit>("labelField"), "dy");
  EXPECT_EQ(message("editorMessage"), "Two filters are labelled \"dy\".");
  EXPECT_EQ(child<QLineEdit>("labelField")->text(), "dx");
  enter(child<QLineEdit>("labelField"), "a/b");
  EXPECT_TRUE(message("editorMessage").contains("needs a label of 1 to 100 letters"));
  enter(child<QLineEdit>("orientationField"), "1,5");
  EXPECT_EQ(message("editorMessage"),
            "The orientation is \"1,5\"; it must be a number with a decimal point, or empty.");
  EXPECT_TRUE(sameButForName(panel.bank(), makeBank("sobel")));
}

TEST_F(FilterEditorTest, SavesReopensAndCompares) {
  const QTemporaryDir folder;
  edit(makeBank("vessel-matched:orientations=4"));
  typeTap("0.1");
  const FilterBank before = panel.bank();
  const QString path = folder.filePath("mine.json");
  ASSERT_TRUE(panel.saveBank(path));
  EXPECT_FALSE(panel.isHandEdited());
  EXPECT_EQ(chosen.last()[0].toString(), path);
  EXPECT_TRUE(sameButForName(loadBank(path.toStdString()), before));
  typeTap("0.2");
  EXPECT_TRUE(panel.isHandEdited());
  ASSERT_TRUE(panel.openBank(path));
  EXPECT_TRUE(sameButForName(panel.bank(), before));
  EXPECT_EQ(panel.bank().info().name, path.toStdString());
  EXPECT_EQ(child<QTreeView>("bankTree")->currentIndex().data().toString(), "mine.json");
  keys(Qt::Key_Z);
  EXPECT_EQ(tap(0, 0), 0.2f) << "opening a file does not lose the edit";
}

TEST_F(FilterEditorTest, SavesThroughTheDialog) {
  const QTemporaryDir folder;
  edit(makeBank("sobel"));
  typeTap("9");
  click(child<QPushButton>("saveBank"));
  auto* dialog = child<QFileDialog>("saveBankDialog");
  ASSERT_TRUE(within([&] { return dialog->isVisible(); }));
  dialog->setDirectory(folder.path());
  auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
  ASSERT_NE(name, nullptr);
  type(name, "nine");
  QTest::keyClick(name, Qt::Key_Return);
  ASSERT_TRUE(within([&] { return QFile::exists(folder.filePath("nine.json")); }));
  EXPECT_EQ(loadBank(folder.filePath("nine.json").toStdString())[0].tap(0, 0, 0), 9);
}

TEST_F(FilterEditorTest, AFailedSaveLosesNothing) {
  const QTemporaryDir folder;
  edit(makeBank("sobel"));
  typeTap("9");
  const FilterBank before = panel.bank();
  for (const QString& path : {folder.filePath("no such folder/x.json"), folder.path()}) {
    EXPECT_FALSE(panel.saveBank(path));
    EXPECT_TRUE(message("panelMessage").contains(path)) << message("panelMessage").toStdString();
    EXPECT_TRUE(sameButForName(panel.bank(), before));
    EXPECT_TRUE(panel.isHandEdited());
  }
  EXPECT_TRUE(QDir(folder.path()).isEmpty());
  ASSERT_TRUE(panel.saveBank(folder.filePath("x.json")));
}

TEST_F(FilterEditorTest, BadFilesAreOneSentence) {
  const QTemporaryDir folder;
  edit(makeBank("sobel"));
  EXPECT_FALSE(panel.openBank(folder.filePath("missing.json")));
  EXPECT_TRUE(message("panelMessage").contains("missing.json")) << message("panelMessage").toStdString();
  QFile broken(folder.filePath("broken.json"));
  ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
  broken.write("{\"filters\": [");
  broken.close();
  EXPECT_FALSE(panel.openBank(broken.fileName()));
  EXPECT_TRUE(message("panelMessage").contains("broken.json")) << message("panelMessage").toStdString();
  EXPECT_EQ(panel.bank().info().name, "sobel");
}

TEST_F(FilterEditorTest, OpensAFilterFromText) {
  const QTemporaryDir folder;
  QFile text(folder.filePath("mine.csv"));
  ASSERT_TRUE(text.open(QIODevice::WriteOnly));
  text.write("1,2,3\n4,5,6\n7,8,9.5\n");
  text.close();
  ASSERT_TRUE(panel.openBank(text.fileName())) << message("panelMessage").toStdString();
  ASSERT_EQ(panel.bank().size(), 1u);
  EXPECT_EQ(panel.bank()[0].tap(0, 2, 2), 9.5f);
  EXPECT_EQ(panel.bank().info().name, text.fileName().toStdString());
}

TEST_F(FilterEditorTest, AHundredRandomEditsAreTakenBack) {
  edit(makeBank("vessel-fdog:orientations=3"));
  const FilterBank start = panel.bank();
  std::mt19937 random(5);
  const QStringList actions = {"transpose", "rotate180",         "mirrorLeftRight", "mirrorTopBottom",
                               "zeroMean",  "zeroTaps",          "fillTaps",        "setAnchor",
                               "pasteTaps", "replaceByClipboard"};
  for (int step = 0; step < 100; ++step) {
    panel.setSelectedFilter(static_cast<int>(random() % 3));
    const auto* model = table->model();
    const int y = static_cast<int>(random()) & 0xff;
    selectRange(y % model->rowCount(), y % model->columnCount(), model->rowCount() - 1,
                model->columnCount() - 1);
    put(QString("%1 2\n3 4").arg(step));
    child<QAction>(actions[static_cast<int>(random() % static_cast<unsigned>(actions.size()))])->trigger();
  }
  EXPECT_TRUE(panel.isHandEdited());
  while (panel.undoStack().canUndo()) keys(Qt::Key_Z);
  EXPECT_EQ(panel.bank().filters(), start.filters());
  EXPECT_EQ(panel.bank().info(), start.info());
}

}  // namespace
}  // namespace bankside::window
