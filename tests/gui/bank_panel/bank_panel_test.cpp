#include <memory>

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QListView>
#include <QPushButton>
#include <QToolButton>
#include <QUndoStack>

#include "tests/gui/bank_panel/panel_fixture.h"

namespace bankside::window {
namespace {

using BankPanelTest = PanelTest;

QModelIndex bankIndex(const QTreeView& tree, const QString& name) {
  const auto* model = tree.model();
  for (int f = 0; f < model->rowCount(); ++f) {
    const QModelIndex family = model->index(f, 0);
    for (int b = 0; b < model->rowCount(family); ++b) {
      if (model->index(b, 0, family).data().toString() == name) return model->index(b, 0, family);
    }
  }
  return {};
}

void clickItem(QAbstractItemView* view, const QModelIndex& index) {
  view->scrollTo(index);
  QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(index).center());
}

TEST_F(BankPanelTest, ChoosesABankByKeyboardAlone) {
  auto* search = child<QLineEdit>("bankSearch");
  search->setFocus();
  QTest::keyClicks(search, "matched vessel");
  QTest::keyClick(search, Qt::Key_Down);
  EXPECT_TRUE(child<QTreeView>("bankTree")->hasFocus());
  ASSERT_TRUE(becomes("vessel-matched"));
  EXPECT_EQ(panel.bank().contentHash(), makeBank("vessel-matched").contentHash());
  ASSERT_EQ(chosen.count(), 1);
  EXPECT_EQ(chosen[0][0].toString(), "vessel-matched");
  EXPECT_EQ(edited.count(), 0);
}

TEST_F(BankPanelTest, ChoosesABankByMouse) {
  auto* tree = child<QTreeView>("bankTree");
  clickItem(tree, bankIndex(*tree, "sobel"));
  ASSERT_TRUE(becomes("sobel"));
  EXPECT_EQ(child<QLabel>("bankCitation")->text().toStdString(), makeBank("sobel").info().citation);
  EXPECT_TRUE(child<QLabel>("bankCitation")->textInteractionFlags().testFlag(Qt::TextSelectableByMouse));
  EXPECT_EQ(child<QListView>("filterGallery")->model()->rowCount(), panel.bank().size());
}

TEST_F(BankPanelTest, EveryBankOfTheCatalogueCanBeChosen) {
  auto* tree = child<QTreeView>("bankTree");
  for (const CatalogEntry& entry : catalog()) {
    tree->setCurrentIndex(bankIndex(*tree, QString::fromStdString(entry.name)));
    EXPECT_TRUE(becomes(QString::fromStdString(entry.name)));
    for (const BankParameter& p : entry.parameters)
      EXPECT_NE(panel.findChild<QWidget*>("parameter." + QString::fromStdString(p.name)), nullptr) << p.name;
    EXPECT_EQ(message("browserMessage"), "");
  }
}

TEST_F(BankPanelTest, SearchHidesAndSaysWhereThereIsNothing) {
  auto* tree = child<QTreeView>("bankTree");
  type(child<QLineEdit>("bankSearch"), "SOBEL");
  EXPECT_TRUE(bankIndex(*tree, "sobel").isValid());
  EXPECT_FALSE(bankIndex(*tree, "gaussian").isValid());
  type(child<QLineEdit>("bankSearch"), "xyzzy");
  EXPECT_EQ(tree->model()->rowCount(), 0);
  EXPECT_EQ(message("browserMessage"), "No bank is called or described as \"xyzzy\".");
  QTest::keyClick(child<QLineEdit>("bankSearch"), Qt::Key_Down);
  QTest::keyClick(child<QLineEdit>("bankSearch"), Qt::Key_A, Qt::ControlModifier);
  QTest::keyClick(child<QLineEdit>("bankSearch"), Qt::Key_Delete);
  EXPECT_TRUE(bankIndex(*tree, "gaussian").isValid());
  EXPECT_EQ(message("browserMessage"), "");
}

TEST_F(BankPanelTest, ParametersRemakeTheBankAtOnce) {
  panel.setBank(makeBank("vessel-matched"));
  auto* gallery = child<QListView>("filterGallery");
  const QImage before = gallery->grab().toImage();
  enter(child<QWidget>("parameter.sigma"), "2.5");
  ASSERT_TRUE(becomes("vessel-matched:sigma=2.5"));
  EXPECT_EQ(panel.bank().contentHash(), makeBank("vessel-matched:sigma=2.5").contentHash());
  EXPECT_NE(gallery->grab().toImage(), before);
  QTest::keyClick(child<QWidget>("parameter.orientations"), Qt::Key_Up);
  ASSERT_TRUE(becomes("vessel-matched:sigma=2.5,orientations=13"));
  click(child<QPushButton>("resetParameters"));
  ASSERT_TRUE(becomes("vessel-matched"));
  EXPECT_EQ(edited.count(), 0);
  EXPECT_EQ(panel.undoStack().count(), 1) << "turning the knobs of one bank is one step back";
  panel.undoStack().undo();
  EXPECT_EQ(panel.bank().info().name, "vessel-matched");
}

TEST_F(BankPanelTest, FastTypingMakesOneBank) {
  panel.setBank(makeBank("gaussian"));
  auto* size = child<QLineEdit>("parameter.size");
  type(size, "15");
  ASSERT_TRUE(becomes("gaussian:size=15"));
  EXPECT_EQ(chosen.count(), 1);
  EXPECT_EQ(size->text(), "15");
  EXPECT_EQ(size->cursorPosition(), 2);
}

TEST_F(BankPanelTest, BadParametersAreOneSentenceAndChangeNothing) {
  panel.setBank(makeBank("gaussian"));
  type(child<QLineEdit>("parameter.size"), "wide");
  ASSERT_TRUE(within([&] { return !message("browserMessage").isEmpty(); }));
  EXPECT_TRUE(message("browserMessage").contains("size")) << message("browserMessage").toStdString();
  EXPECT_TRUE(message("browserMessage").contains("wide"));
  EXPECT_EQ(panel.bank().info().name, "gaussian");
  EXPECT_EQ(chosen.count(), 0);
  type(child<QLineEdit>("parameter.size"), "9");
  ASSERT_TRUE(becomes("gaussian:size=9"));
  EXPECT_EQ(message("browserMessage"), "");
}

TEST_F(BankPanelTest, AStaleBankIsDropped) {
  panel.setBank(makeBank("vessel-gabor"));
  enter(child<QWidget>("parameter.orientations"), "360");
  QTest::qWait(140);  // Being made by now; it takes longer than this.
  panel.setBank(makeBank("sobel"));
  QTest::qWait(600);
  EXPECT_EQ(panel.bank().info().name, "sobel");
}

TEST_F(BankPanelTest, ThePanelMayGoWhileABankIsMade) {
  auto doomed = std::make_unique<BankPanel>();
  doomed->setBank(makeBank("vessel-gabor"));
  auto* box = doomed->findChild<QAbstractSpinBox*>("parameter.orientations");
  ASSERT_NE(box, nullptr);
  enter(box, "360");
  QTest::qWait(140);
  doomed.reset();
  QTest::qWait(300);
}

TEST_F(BankPanelTest, SetBankIsQuietAndFillsTheForm) {
  panel.setBank(makeBank("vessel-matched:sigma=1.5,length=7"));
  EXPECT_EQ(child<QAbstractSpinBox>("parameter.sigma")->text(), "1.5");
  EXPECT_EQ(child<QAbstractSpinBox>("parameter.length")->text(), "7");
  auto* tree = child<QTreeView>("bankTree");
  EXPECT_EQ(tree->currentIndex(), bankIndex(*tree, "vessel-matched"));
  QTest::qWait(300);
  EXPECT_EQ(chosen.count(), 0);
  EXPECT_EQ(edited.count(), 0);
  panel.setBank(panel.bank());
  EXPECT_EQ(panel.undoStack().count(), 0);
}

TEST_F(BankPanelTest, TheGallerySelectsFilters) {
  panel.setBank(makeBank("kirsch"));
  QSignalSpy selected(&panel, &BankPanel::selectedFilterChanged);
  auto* gallery = child<QListView>("filterGallery");
  clickItem(gallery, gallery->model()->index(3, 0));
  EXPECT_EQ(panel.selectedFilter(), 3);
  QTest::keyClick(gallery, Qt::Key_Right);
  EXPECT_EQ(panel.selectedFilter(), 4);
  EXPECT_EQ(selected.count(), 2);
  panel.setSelectedFilter(1);
  EXPECT_EQ(gallery->currentIndex().row(), 1);
  panel.setSelectedFilter(99);
  EXPECT_EQ(panel.selectedFilter(), 1);
  QTest::keyClick(gallery, Qt::Key_Return);
  EXPECT_EQ(child<QTabWidget>("bankTabs")->currentIndex(), 1);
}

TEST_F(BankPanelTest, TheGalleryDrawsTheTaps) {
  panel.setBank(FilterBank({.name = "x"}, {makeFilter("edge", 1, 2, {-1, 1})}));
  auto* gallery = child<QListView>("filterGallery");
  const QRect item = gallery->visualRect(gallery->model()->index(0, 0));
  const QImage image = gallery->viewport()->grab().toImage();
  const int middle = item.y() + 37;
  const QColor left = image.pixelColor(item.center().x() - 12, middle);
  const QColor right = image.pixelColor(item.center().x() + 12, middle);
  EXPECT_GT(left.blue(), left.red() + 50);
  EXPECT_GT(right.red(), right.blue() + 50);
}

TEST_F(BankPanelTest, FiltersAreAddedDoubledMovedAndRemoved) {
  panel.setBank(makeBank("sobel"));
  const auto labels = [&] {
    QStringList words;
    const FilterBank bank = panel.bank();
    for (const Filter& f : bank.filters()) words << QString::fromStdString(f.label);
    return words.join(' ');
  };
  click(child<QToolButton>("addFilter"));
  EXPECT_EQ(labels(), "dx dy filter");
  EXPECT_EQ(panel.selectedFilter(), 2);
  click(child<QToolButton>("duplicateFilter"));
  EXPECT_EQ(labels(), "dx dy filter filter-2");
  click(child<QToolButton>("moveFilterEarlier"));
  EXPECT_EQ(labels(), "dx dy filter-2 filter");
  auto* gallery = child<QListView>("filterGallery");
  gallery->setFocus();
  QTest::keyClick(gallery, Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(labels(), "dx filter-2 dy filter");
  QTest::keyClick(gallery, Qt::Key_Delete);
  EXPECT_EQ(labels(), "dx dy filter");
  EXPECT_EQ(edited.count(), 5);
  EXPECT_TRUE(panel.isHandEdited());
  for (int step = 0; step < 5; ++step) panel.undoStack().undo();
  EXPECT_TRUE(sameButForName(panel.bank(), makeBank("sobel")));
  EXPECT_EQ(panel.bank().info().name, "sobel");
  EXPECT_EQ(chosen.last()[0].toString(), "sobel");
}

TEST_F(BankPanelTest, TheLastFilterStays) {
  panel.setBank(makeBank("gaussian"));
  EXPECT_FALSE(child<QToolButton>("removeFilter")->isEnabled());
  auto* gallery = child<QListView>("filterGallery");
  gallery->setFocus();
  QTest::keyClick(gallery, Qt::Key_Delete);
  EXPECT_EQ(panel.bank().size(), 1);
}

TEST_F(BankPanelTest, AnotherBankDoesNotLoseTheEditedOne) {
  panel.setBank(makeBank("sobel"));
  click(child<QToolButton>("addFilter"));
  const FilterBank edit = panel.bank();
  auto* tree = child<QTreeView>("bankTree");
  clickItem(tree, bankIndex(*tree, "gaussian"));
  ASSERT_TRUE(becomes("gaussian"));
  panel.undoStack().undo();
  EXPECT_TRUE(sameButForName(panel.bank(), edit));
  EXPECT_TRUE(panel.isHandEdited());
}

TEST_F(BankPanelTest, EveryControlHasANameForScreenReadersAndTests) {
  panel.setBank(makeBank("vessel-matched"));
  int controls = 0;
  for (QWidget* widget : panel.findChildren<QWidget*>()) {
    const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QAbstractSpinBox*>(widget) ||
                         qobject_cast<QComboBox*>(widget) || qobject_cast<QAbstractItemView*>(widget) ||
                         qobject_cast<QLineEdit*>(widget);
    const QWidget* parent = widget->parentWidget();
    const bool inner = qobject_cast<const QAbstractSpinBox*>(parent) ||
                       qobject_cast<const QLineEdit*>(parent) || qobject_cast<const QTabBar*>(parent) ||
                       widget->objectName().startsWith("qt_") || widget->inherits("QComboBoxListView") ||
                       widget->inherits("QHeaderView") || widget->inherits("QTableCornerButton") ||
                       parent->inherits("QToolBar");
    if (!control || inner) continue;
    ++controls;
    EXPECT_FALSE(widget->objectName().isEmpty()) << widget->metaObject()->className();
    const auto* button = qobject_cast<QAbstractButton*>(widget);
    const bool says = !widget->accessibleName().isEmpty() || (button && button->text().size() > 1);
    EXPECT_TRUE(says) << widget->objectName().toStdString();
  }
  EXPECT_GT(controls, 20);
}

}  // namespace
}  // namespace bankside::window
