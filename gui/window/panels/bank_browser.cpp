#include "gui/window/panels/bank_browser.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

#include "filters/catalog.h"
#include "gui/window/models/bank_catalog_model.h"
#include "gui/window/panels/bank_document.h"
#include "gui/window/panels/message_line.h"
#include "gui/window/panels/parameter_form.h"

namespace bankside::window {
namespace {

/// Until a text that is being typed counts; steps of an arrow or a wheel count at once.
constexpr int settleMilliseconds = 120;

QLabel* wrappedLabel(const QString& name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(name);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

/// The bank that is chosen stays in sight when there is less room.
class BankTree final : public QTreeView {
 public:
  using QTreeView::QTreeView;

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QTreeView::resizeEvent(event);
    if (currentIndex().isValid()) scrollTo(currentIndex());
  }
};

/// Down and Return in the search line go to the list.
class SearchLine : public QLineEdit {
 public:
  SearchLine(QTreeView* tree, QWidget* parent) : QLineEdit(parent), tree_(tree) {}

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() != Qt::Key_Down && event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
      return QLineEdit::keyPressEvent(event);
    QModelIndex first = tree_->currentIndex();
    if (!first.parent().isValid()) first = tree_->model()->index(0, 0, tree_->model()->index(0, 0));
    if (!first.isValid()) return;
    tree_->setCurrentIndex(first);
    if (event->key() == Qt::Key_Down) tree_->setFocus(Qt::OtherFocusReason);
  }

 private:
  QTreeView* tree_;
};

}  // namespace

BankBrowser::BankBrowser(BankDocument& document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      model_(new BankCatalogModel(catalog(), this)),
      found_(new QSortFilterProxyModel(this)) {
  found_->setSourceModel(model_);
  found_->setRecursiveFilteringEnabled(true);
  found_->setFilterRole(BankCatalogModel::SearchRole);
  found_->setFilterCaseSensitivity(Qt::CaseInsensitive);

  tree_ = new BankTree(this);
  tree_->setObjectName("bankTree");
  tree_->setAccessibleName(tr("Filter banks"));
  tree_->setModel(found_);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  tree_->header()->setStretchLastSection(true);
  tree_->setIndentation(12);
  tree_->setMinimumHeight(90);
  showFamilies();

  search_ = new SearchLine(tree_, this);
  search_->setObjectName("bankSearch");
  search_->setAccessibleName(tr("Search banks"));
  search_->setPlaceholderText(tr("Search banks, e.g. vessel"));
  search_->setClearButtonEnabled(true);
  auto* open = new QPushButton(tr("&Open…"), this);
  open->setObjectName("openBank");
  open->setAccessibleName(tr("Open bank file"));
  open->setToolTip(tr("Opens a bank saved as JSON"));

  title_ = wrappedLabel("bankTitle", this);
  QFont bold = title_->font();
  bold.setBold(true);
  title_->setFont(bold);
  citation_ = wrappedLabel("bankCitation", this);
  citation_->setAccessibleName(tr("Source of the formula"));
  form_ = new ParameterForm(this);
  form_->setObjectName("parameterForm");
  message_ = new MessageLine(this);
  message_->setObjectName("browserMessage");

  details_ = new QWidget;
  auto* column = new QVBoxLayout(details_);
  column->setContentsMargins(0, 6, 6, 0);
  column->addWidget(title_);
  column->addWidget(message_);
  column->addWidget(form_);
  column->addWidget(citation_);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);
  scroll->setObjectName("bankDetails");
  scroll->setAccessibleName(tr("The bank and its parameters"));
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(details_);
  scroll->setMinimumHeight(80);

  auto* top = new QHBoxLayout;
  top->addWidget(search_, 1);
  top->addWidget(open);
  split_ = new QSplitter(Qt::Vertical, this);
  split_->setObjectName("browserSplitter");
  split_->addWidget(tree_);
  split_->addWidget(scroll);
  split_->setStretchFactor(0, 1);
  split_->setStretchFactor(1, 1);
  split_->setChildrenCollapsible(false);
  split_->setSizes({300, 260});
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(top);
  layout->addWidget(split_, 1);

  connect(&maker_, &RunController::failed, this,
          [this](Work, const QString& why) { message_->showError(why); });
  settle_.setSingleShot(true);
  settle_.setInterval(settleMilliseconds);
  connect(&settle_, &QTimer::timeout, this, &BankBrowser::makeChosenBank);
  connect(search_, &QLineEdit::textChanged, this, &BankBrowser::search);
  connect(open, &QPushButton::clicked, this, &BankBrowser::openWanted);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, &BankBrowser::takeCurrent);
  connect(form_, &ParameterForm::changed, this,
          [this](bool typing) { settle_.start(typing ? settleMilliseconds : 0); });
  connect(&document_, &BankDocument::bankChanged, this, &BankBrowser::followDocument);
  connect(split_, &QSplitter::splitterMoved, this, [this] { moved_ = true; });
}

void BankBrowser::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  shareRoom();
}

void BankBrowser::shareRoom() {
  if (moved_ || split_->height() == 0) return;
  const int all = split_->height() - split_->handleWidth();
  const int width = split_->width();
  const int wanted = details_->layout()->hasHeightForWidth() ? details_->layout()->totalHeightForWidth(width)
                                                             : details_->sizeHint().height();
  const int room = std::max(details_->parentWidget()->parentWidget()->minimumHeight(),
                            std::min(wanted, all - tree_->minimumHeight()));
  split_->setSizes({all - room, room});
  if (tree_->currentIndex().isValid()) tree_->scrollTo(tree_->currentIndex());
}

void BankBrowser::addFile(const FilterBank& bank) {
  const auto text = [](const std::string& s) { return QString::fromStdString(s); };
  following_ = true;
  model_->addFile(text(bank.info().name), text(bank.info().title), text(bank.info().citation));
  showFamilies();
  following_ = false;
  followDocument();
}

void BankBrowser::search(const QString& text) {
  // Every word must occur, in any order.
  QString pattern;
  for (const QString& word : text.split(' ', Qt::SkipEmptyParts))
    pattern += "(?=.*" + QRegularExpression::escape(word) + ")";
  following_ = true;  // A bank filtered away is still the bank.
  found_->setFilterRegularExpression(QRegularExpression(
      pattern, QRegularExpression::CaseInsensitiveOption | QRegularExpression::DotMatchesEverythingOption));
  showFamilies();
  following_ = false;
  followDocument();
  if (found_->rowCount() == 0) {
    message_->showNote(tr("No bank is called or described as \"%1\"").arg(text));
  } else {
    message_->clearMessage();
  }
}

void BankBrowser::showFamilies() {
  tree_->expandAll();
  for (int row = 0; row < found_->rowCount(); ++row) tree_->setFirstColumnSpanned(row, {}, true);
}

void BankBrowser::takeCurrent() {
  const QModelIndex current = found_->mapToSource(tree_->currentIndex().siblingAtColumn(0));
  if (following_ || model_->data(current, BankCatalogModel::SpecificationRole).toString().isEmpty()) return;
  title_->setText(model_->data(current, BankCatalogModel::TitleRole).toString());
  citation_->setText(model_->data(current, BankCatalogModel::CitationRole).toString());
  form_->setEntry(model_->entry(current));
  shareRoom();
  settle_.start(settleMilliseconds);
}

void BankBrowser::makeChosenBank() {
  const QModelIndex current = found_->mapToSource(tree_->currentIndex().siblingAtColumn(0));
  const QString wanted = form_->entry()
                             ? form_->specification()
                             : model_->data(current, BankCatalogModel::SpecificationRole).toString();
  if (wanted.isEmpty()) return;
  // Hundreds of large filters take most of a second to generate: never on the window's thread.
  maker_.start(Work::Bank, {}, [this, specification = wanted.toStdString()](RunController::Context& context) {
    context.deliver([this, bank = loadBank(specification)] { takeBank(bank); });
  });
}

void BankBrowser::takeBank(const FilterBank& bank) {
  following_ = true;  // The form already says it, perhaps in the middle of a word being typed.
  document_.choose(bank);
  following_ = false;
  message_->clearMessage();
}

void BankBrowser::forgetRequests() {
  settle_.stop();
  maker_.cancelAll();
}

void BankBrowser::followDocument() {
  if (following_ || document_.bank().size() == 0) return;
  following_ = true;
  forgetRequests();
  const BankInfo& info = document_.bank().info();
  title_->setText(QString::fromStdString(info.title.empty() ? info.name : info.title));
  citation_->setText(QString::fromStdString(info.citation));
  citation_->setVisible(!info.citation.empty());
  QModelIndex source = model_->find(QString::fromStdString(info.name));
  if (!source.isValid()) source = model_->find(QString::fromStdString(info.generator));
  const QModelIndex index = found_->mapFromSource(source);
  if (index.isValid()) {
    tree_->setCurrentIndex(index);
  } else {
    tree_->clearSelection();
    tree_->setCurrentIndex({});
  }
  form_->setEntry(model_->entry(source));
  form_->setValues(info.parameters);
  message_->clearMessage();
  shareRoom();
  following_ = false;
}

}  // namespace bankside::window
