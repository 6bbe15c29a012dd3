/// The banks there are, as a tree of two levels: families, and in each the banks; opened files are the last
/// family. Two columns, name and title. QtCore only.
#pragma once

#include <vector>

#include <QAbstractItemModel>
#include <QString>

#include "filters/taps/catalog_entry.h"

namespace bankside::window {

class BankCatalogModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Role {
    SpecificationRole = Qt::UserRole + 1,  ///< what `--bank` takes; empty for a family
    TitleRole,                             ///< one line for a person
    CitationRole,
    SearchRole,  ///< everything a person might type to find it
  };

  /// `entries` must outlive the model.
  explicit BankCatalogModel(const std::vector<CatalogEntry>& entries, QObject* parent = nullptr);

  /// Adds an opened bank file, or renews its title. Returns its index.
  QModelIndex addFile(const QString& path, const QString& title, const QString& citation);

  /// The index of a catalogue entry by its name, or of a file by its path; invalid if there is none.
  QModelIndex find(const QString& nameOrPath) const;

  /// Nothing for families and files.
  const CatalogEntry* entry(const QModelIndex& index) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 private:
  struct Bank {
    const CatalogEntry* entry = nullptr;
    QString specification;
    QString shown;
    QString title;
    QString citation;
  };
  struct Family {
    QString name;
    std::vector<Bank> banks;
    bool files = false;
  };

  const Family* family(const QModelIndex& index) const;
  const Bank* bank(const QModelIndex& index) const;

  std::vector<Family> families_;
};

}  // namespace bankside::window
