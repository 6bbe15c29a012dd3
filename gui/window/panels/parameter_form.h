/// The parameters of one catalogue entry as controls: spin boxes within the catalogue's ranges, words in a
/// list, text for lists of numbers and for what takes "auto".
#pragma once

#include <map>
#include <string>
#include <vector>

#include <QWidget>

#include "filters/taps/catalog_entry.h"

class QFormLayout;
class QPushButton;

namespace bankside::window {

class ParameterForm : public QWidget {
  Q_OBJECT

 public:
  explicit ParameterForm(QWidget* parent = nullptr);

  /// Builds the controls anew and sets the defaults; nullptr leaves the form empty. Emits nothing.
  void setEntry(const CatalogEntry* entry);
  const CatalogEntry* entry() const { return entry_; }

  /// Parameters that are missing get their defaults. Emits nothing.
  void setValues(const std::map<std::string, std::string>& values);

  /// One a parameter, whose accessible name is the parameter's.
  QList<QWidget*> controls() const;

  /// "vessel-matched:sigma=1.5", defaults left out.
  QString specification() const;

 signals:
  /// `typing`: by a text that is being typed, of which more may come.
  void changed(bool typing);

 private:
  struct Control {
    const BankParameter* parameter;
    QWidget* widget;
  };
  QWidget* makeControl(const BankParameter& parameter);
  static QString textOf(const Control& control);
  static void setText(const Control& control, const QString& text);
  void tellChange();

  const CatalogEntry* entry_ = nullptr;
  std::vector<Control> controls_;
  QFormLayout* form_;
  QPushButton* reset_;
  bool setting_ = false;
};

}  // namespace bankside::window
