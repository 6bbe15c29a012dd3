#include "gui/window/models/bank_catalog_model.h"

#include <algorithm>

#include <QFileInfo>

namespace bankside::window {
namespace {

/// Internal id of a family; a bank's is its family's row.
constexpr quintptr familyId = ~quintptr{0};

QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

}  // namespace

BankCatalogModel::BankCatalogModel(const std::vector<CatalogEntry>& entries, QObject* parent)
    : QAbstractItemModel(parent) {
  for (const CatalogEntry& entry : entries) {
    const QString name = capitalised(QString::fromStdString(entry.family));
    auto found =
        std::find_if(families_.begin(), families_.end(), [&](const Family& f) { return f.name == name; });
    if (found == families_.end()) {
      families_.push_back({name, {}, false});
      found = families_.end() - 1;
    }
    const QString specification = QString::fromStdString(entry.name);
    found->banks.push_back({&entry, specification, specification, QString::fromStdString(entry.title),
                            QString::fromStdString(entry.citation)});
  }
}

QModelIndex BankCatalogModel::addFile(const QString& path, const QString& title, const QString& citation) {
  const Bank added{nullptr, path, QFileInfo(path).fileName(), title, citation};
  if (const QModelIndex known = find(path); known.isValid()) {
    families_[static_cast<std::size_t>(known.parent().row())].banks[static_cast<std::size_t>(known.row())] =
        added;
    emit dataChanged(known, known.siblingAtColumn(1));
    return known;
  }
  if (families_.empty() || !families_.back().files) {
    const int row = static_cast<int>(families_.size());
    beginInsertRows({}, row, row);
    families_.push_back({tr("Files"), {}, true});
    endInsertRows();
  }
  const QModelIndex files = index(rowCount() - 1, 0);
  const int row = rowCount(files);
  beginInsertRows(files, row, row);
  families_.back().banks.push_back(added);
  endInsertRows();
  return index(row, 0, files);
}

QModelIndex BankCatalogModel::find(const QString& nameOrPath) const {
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const auto& banks = families_[f].banks;
    const auto found = std::find_if(banks.begin(), banks.end(),
                                    [&](const Bank& b) { return b.specification == nameOrPath; });
    if (found != banks.end())
      return createIndex(static_cast<int>(found - banks.begin()), 0, static_cast<quintptr>(f));
  }
  return {};
}

const CatalogEntry* BankCatalogModel::entry(const QModelIndex& index) const {
  const Bank* found = bank(index);
  return found ? found->entry : nullptr;
}

QModelIndex BankCatalogModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : familyId);
}

QModelIndex BankCatalogModel::parent(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == familyId) return {};
  return createIndex(static_cast<int>(index.internalId()), 0, familyId);
}

int BankCatalogModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(families_.size());
  const Family* inside = parent.column() == 0 ? family(parent) : nullptr;
  return inside ? static_cast<int>(inside->banks.size()) : 0;
}

int BankCatalogModel::columnCount(const QModelIndex&) const { return 2; }

QVariant BankCatalogModel::data(const QModelIndex& index, int role) const {
  if (const Family* found = family(index))
    return role == Qt::DisplayRole && index.column() == 0 ? QVariant(found->name) : QVariant();
  const Bank* found = bank(index);
  if (!found) return {};
  switch (role) {
    case Qt::DisplayRole: return index.column() == 0 ? found->shown : found->title;
    case Qt::ToolTipRole: return found->entry ? found->title : found->title + "\n" + found->specification;
    case Qt::AccessibleTextRole: return found->shown + ": " + found->title;
    case SpecificationRole: return found->specification;
    case TitleRole: return found->title;
    case CitationRole: return found->citation;
    case SearchRole:
      return QStringList{found->specification, found->title, families_[index.internalId()].name,
                         found->citation}
          .join(' ');
    default: return {};
  }
}

Qt::ItemFlags BankCatalogModel::flags(const QModelIndex& index) const {
  if (family(index)) return Qt::ItemIsEnabled;
  return bank(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren : Qt::NoItemFlags;
}

const BankCatalogModel::Family* BankCatalogModel::family(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() != familyId) return nullptr;
  return &families_[static_cast<std::size_t>(index.row())];
}

const BankCatalogModel::Bank* BankCatalogModel::bank(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == familyId) return nullptr;
  return &families_[index.internalId()].banks[static_cast<std::size_t>(index.row())];
}

}  // namespace bankside::window
