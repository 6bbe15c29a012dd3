#include "gui/window/panels/bank_panel.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

#include "core/error.h"
#include "core/imageio/atomic_file.h"
#include "filters/bank_json.h"
#include "filters/catalog.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/panels/bank_browser.h"
#include "gui/window/panels/bank_document.h"
#include "gui/window/panels/filter_editor.h"
#include "gui/window/panels/filter_gallery.h"
#include "gui/window/panels/message_line.h"
#include "gui/window/panels/parameter_form.h"

namespace bankside::window {
BankPanel::BankPanel(QWidget* parent) : QWidget(parent), document_(new BankDocument(this)) {
  browser_ = new BankBrowser(*document_, this);
  auto* editor = new FilterEditor(*document_, this);
  auto* gallery = new FilterGallery(*document_, this);
  gallery_ = gallery;
  message_ = new MessageLine(this);
  message_->setObjectName("panelMessage");
  message_->setContentsMargins(9, 4, 9, 0);
  tabs_ = new QTabWidget(this);
  tabs_->setObjectName("bankTabs");
  tabs_->setAccessibleName(tr("Bank"));
  tabs_->setDocumentMode(true);
  tabs_->addTab(browser_, tr("&Banks"));
  // Taps want more room than banks; a narrow panel moves over them.
  auto* edit = new QScrollArea(this);
  edit->setWidget(editor);
  edit->setAccessibleName(tr("Edit filter"));
  edit->setWidgetResizable(true);
  edit->setFrameShape(QFrame::NoFrame);
  tabs_->addTab(edit, tr("&Edit filter"));
  auto* split = new QSplitter(Qt::Vertical, this);
  split->setObjectName("bankSplitter");
  split->addWidget(tabs_);
  split->addWidget(gallery);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setChildrenCollapsible(false);
  split->setSizes({660, 260});
  // While taps are edited one row of filters is enough, unless somebody has chosen otherwise.
  auto chosen = std::make_shared<bool>(false);
  connect(split, &QSplitter::splitterMoved, this, [chosen] { *chosen = true; });
  connect(tabs_, &QTabWidget::currentChanged, this, [this, split, edit, gallery, chosen] {
    if (*chosen) return;
    const int height = split->height();
    const int small = gallery->minimumSizeHint().height();
    const int filters = tabs_->currentWidget() == edit ? small : std::max(small, height * 260 / 920);
    split->setSizes({height - filters, filters});
  });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(message_);
  layout->addWidget(split, 1);

  connect(gallery, &FilterGallery::editWanted, this, [this, edit] { tabs_->setCurrentWidget(edit); });
  connect(gallery, &FilterGallery::filterPicked, this, &BankPanel::filterPicked);
  connect(gallery, &FilterGallery::combinedPicked, this, &BankPanel::combinedPicked);
  connect(browser_, &BankBrowser::openWanted, this, &BankPanel::askForBankToOpen);
  connect(editor, &FilterEditor::openWanted, this, &BankPanel::askForBankToOpen);
  connect(editor, &FilterEditor::saveWanted, this, &BankPanel::askWhereToSave);
  connect(document_, &BankDocument::selectedFilterChanged, this, &BankPanel::selectedFilterChanged);
  connect(document_, &BankDocument::changedByHand, this, [this] {
    message_->clearMessage();
    if (document_->isHandEdited()) {
      emit bankEdited();
    } else {
      emit bankChosen(QString::fromStdString(document_->bank().info().name));
    }
  });
}

void BankPanel::setBank(const FilterBank& bank) { document_->show(bank); }
FilterBank BankPanel::bank() const { return document_->bank(); }
int BankPanel::selectedFilter() const { return document_->selected(); }
void BankPanel::setSelectedFilter(int index) { document_->select(index); }
bool BankPanel::isHandEdited() const { return document_->isHandEdited(); }
void BankPanel::setCombined(const QStringList& titles, int selected) {
  gallery_->setCombined(titles, selected);
}
QList<QWidget*> BankPanel::parameters() const { return browser_->findChild<ParameterForm*>()->controls(); }

void BankPanel::goToParameter(QWidget* control) {
  tabs_->setCurrentWidget(browser_);
  for (QWidget* at = control->parentWidget(); at != nullptr; at = at->parentWidget()) {
    if (auto* area = qobject_cast<QScrollArea*>(at)) area->ensureWidgetVisible(control);
  }
  control->setFocus(Qt::ShortcutFocusReason);
}

void BankPanel::undoElsewhere(const QList<QAction*>& actions) {
  auto* bar = findChild<QToolBar*>("filterToolBar");
  bar->insertActions(bar->actions().constFirst(), actions);
  for (const char* own : {"undo", "redo"}) findChild<QAction*>(QLatin1String(own))->setVisible(false);
}

QUndoStack& BankPanel::undoStack() { return document_->history(); }

bool BankPanel::openBank(const QString& path) {
  try {
    const FilterBank bank = loadBank(QFileInfo(path).absoluteFilePath().toStdString());
    browser_->addFile(bank);
    document_->choose(bank);
    message_->clearMessage();
    return true;
  } catch (const Error& error) {
    message_->showError(sentenceOf(error));
    return false;
  }
}

bool BankPanel::saveBank(const QString& path) {
  if (document_->bank().size() == 0) return false;
  try {
    writeFileAtomically(path.toStdString(), writeBankJson(document_->bank()));
    document_->markSaved(path);
    browser_->addFile(document_->bank());
    message_->showNote(tr("Saved to %1").arg(path));
    return true;
  } catch (const Error& error) {
    message_->showError(sentenceOf(error));
    return false;
  }
}

void BankPanel::askForBankToOpen() {
  auto* dialog = new QFileDialog(this, tr("Open a filter bank"), {},
                                 tr("Filter banks (*.json *.npy *.csv *.txt);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName("openBankDialog");
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &BankPanel::openBank);
  dialog->open();
}

void BankPanel::askWhereToSave() {
  auto* dialog = new QFileDialog(this, tr("Save the filter bank"), {}, tr("Filter banks (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setObjectName("saveBankDialog");
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix("json");
  connect(dialog, &QFileDialog::fileSelected, this, &BankPanel::saveBank);
  dialog->open();
}

}  // namespace bankside::window
