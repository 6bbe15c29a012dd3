#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QSortFilterProxyModel>

#include "filters/catalog.h"
#include "gui/window/models/bank_catalog_model.h"
#include "gui/window/models/filter_list_model.h"
#include "gui/window/models/filter_table_model.h"

namespace bankside::window {
namespace {

using Mode = QAbstractItemModelTester::FailureReportingMode;

TEST(BankCatalogModel, ListsEveryEntryUnderItsFamily) {
  BankCatalogModel model(catalog());
  const QAbstractItemModelTester tester(&model, Mode::Fatal);
  std::size_t banks = 0;
  for (int f = 0; f < model.rowCount(); ++f)
    banks += static_cast<std::size_t>(model.rowCount(model.index(f, 0)));
  EXPECT_EQ(banks, catalog().size());
  for (const CatalogEntry& entry : catalog()) {
    const QModelIndex index = model.find(QString::fromStdString(entry.name));
    ASSERT_TRUE(index.isValid()) << entry.name;
    EXPECT_EQ(model.entry(index), &entry);
    EXPECT_EQ(index.parent().data().toString().toLower().toStdString(), entry.family);
    EXPECT_EQ(index.data(BankCatalogModel::CitationRole).toString().toStdString(), entry.citation);
    EXPECT_FALSE(index.parent().flags().testFlag(Qt::ItemIsSelectable));
  }
  EXPECT_FALSE(model.find("no such bank").isValid());
}

TEST(BankCatalogModel, AddsFilesOnce) {
  BankCatalogModel model(catalog());
  const QAbstractItemModelTester tester(&model, Mode::Fatal);
  QSortFilterProxyModel proxy;
  proxy.setRecursiveFilteringEnabled(true);
  proxy.setSourceModel(&model);
  const QAbstractItemModelTester proxyTester(&proxy, Mode::Fatal);
  const int families = model.rowCount();
  const QModelIndex added = model.addFile("/a/my bank.json", "Mine", "Me");
  EXPECT_EQ(model.rowCount(), families + 1);
  EXPECT_EQ(added.data().toString(), "my bank.json");
  EXPECT_EQ(model.entry(added), nullptr);
  model.addFile("/b/my bank.json", "Other", "");
  const QModelIndex again = model.addFile("/a/my bank.json", "Mine, renewed", "Me");
  EXPECT_EQ(model.rowCount(again.parent()), 2);
  EXPECT_EQ(model.find("/a/my bank.json").data(BankCatalogModel::TitleRole).toString(), "Mine, renewed");
}

TEST(FilterListModel, FollowsTheBank) {
  FilterListModel model;
  const QAbstractItemModelTester tester(&model, Mode::Fatal);
  model.setBank(makeBank("sobel"));
  EXPECT_EQ(model.rowCount(), 2);
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  model.setBank(makeBank("scharr"));
  EXPECT_EQ(reset.count(), 0) << "as many filters keep their rows";
  model.setBank(makeBank("kirsch"));
  EXPECT_EQ(reset.count(), 1);
  Filter f = makeFilter("bar", 3, 5, std::vector<float>(15, 1));
  EXPECT_EQ(FilterListModel::describe(f), "3 × 5");
  f.orientation = 22.5;
  f.scale = 1.41421356;
  EXPECT_EQ(FilterListModel::describe(f), "22.5° · σ 1.41");
}

class FilterTable : public testing::Test {
 protected:
  FilterTableModel model;
  QAbstractItemModelTester tester{&model, Mode::Fatal};
  QSignalSpy edited{&model, &FilterTableModel::edited};
  QSignalSpy refused{&model, &FilterTableModel::refused};
};

TEST_F(FilterTable, ShowsTapsAndTheAnchor) {
  Filter f = makeFilter("f", 2, 3, {1, 2, 1.0f / 3, 4, -5e-12f, 6});
  f.anchorX = 0;
  model.setFilter(f, 0);
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.columnCount(), 3);
  EXPECT_EQ(model.index(0, 2).data().toString(), "0.333");
  EXPECT_EQ(model.index(1, 1).data().toString(), "-5e-12");
  EXPECT_EQ(model.index(0, 2).data(Qt::EditRole).toString(), "0.33333334");
  EXPECT_TRUE(model.index(1, 0).data(FilterTableModel::AnchorRole).toBool());
  EXPECT_FALSE(model.index(1, 1).data(FilterTableModel::AnchorRole).toBool());
  EXPECT_EQ(model.index(1, 0).data(Qt::AccessibleTextRole).toString(),
            "Row 2, column 1: 4 (the anchor: it lies on the output pixel)");
  EXPECT_EQ(model.headerData(2, Qt::Horizontal).toInt(), 3);
}

TEST_F(FilterTable, TakesNumbersAndRefusesWords) {
  model.setFilter(makeFilter("f", 1, 2, {1, 2}), 0);
  EXPECT_TRUE(model.setData(model.index(0, 1), " 1/4 "));
  EXPECT_EQ(model.filter().taps[1], 0.25f);
  ASSERT_EQ(edited.count(), 1);
  EXPECT_FALSE(model.setData(model.index(0, 0), "0,5"));
  EXPECT_FALSE(model.setData(model.index(0, 0), ""));
  EXPECT_FALSE(model.setData(model.index(0, 0), "1e99"));
  ASSERT_EQ(refused.count(), 3);
  EXPECT_EQ(refused[0][0].toString(),
            "Row 1, column 1 is \"0,5\": write decimals with a point (0.5), not a comma.");
  EXPECT_EQ(model.filter().taps[0], 1);
  EXPECT_TRUE(model.setData(model.index(0, 0), "1"));
  EXPECT_EQ(edited.count(), 1) << "the same value is no edit";
}

TEST_F(FilterTable, ResetsOnlyWhenTheShapeChanges) {
  model.setFilter(makeFilter("f", 2, 2, {1, 2, 3, 4}), 0);
  QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
  model.setFilter(makeFilter("f", 2, 2, {5, 2, 3, 4}), 0);
  EXPECT_EQ(reset.count(), 0);
  model.setFilter(makeFilter("f", 1, 1, {5}), 0);
  EXPECT_EQ(reset.count(), 1);
}

TEST_F(FilterTable, EditsTheChannelShown) {
  Filter f = makeFilter("f", 1, 2, {1, 2});
  f.channels = 2;
  f.taps = {1, 2, 3, 4};
  model.setFilter(f, 1);
  EXPECT_EQ(model.index(0, 0).data().toString(), "3");
  EXPECT_TRUE(model.setData(model.index(0, 0), "9"));
  EXPECT_EQ(model.filter().taps, (std::vector<float>{1, 2, 9, 4}));
}

}  // namespace
}  // namespace bankside::window
