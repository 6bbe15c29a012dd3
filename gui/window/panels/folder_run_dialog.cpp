#include "gui/window/panels/folder_run_dialog.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "gui/window/panels/mask_choice.h"

namespace bankside::window {
namespace {

void setText(QLineEdit* line, const QString& text) {
  if (line->text() != text) line->setText(text);
}

}  // namespace

FolderRunDialog::FolderRunDialog(Session& session, Folder& folder, FolderRun& run, QWidget* parent)
    : QDialog(parent), session_(session), folder_(folder), run_(run) {
  setObjectName(QStringLiteral("folderRun"));
  setWindowTitle(tr("Run over folder"));
  resize(620, 560);
  form_ = new QFormLayout;
  auto* form = form_;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  const auto label = [this, form](const QString& title, const QString& name) {
    auto* text = new QLabel(this);
    text->setObjectName(name);
    text->setWordWrap(true);
    form->addRow(title, text);
    return text;
  };
  scale_ = new QDoubleSpinBox(this);
  scale_->setObjectName(QStringLiteral("folderScale"));
  scale_->setRange(0, 10000);
  scale_->setDecimals(2);
  scale_->setKeyboardTracking(false);
  scale_->setSpecialValueText(tr("not known"));
  scale_->setAccessibleName(tr("Pixels per degree"));
  scale_->setToolTip(tr("How many pixels of a picture a degree of the eye has, as in Bank"));
  recipe_ = label(tr("Recipe"), QStringLiteral("folderRecipe"));
  form->addRow(tr("&Pixels per degree"), scale_);
  images_ = label(tr("Pictures"), QStringLiteral("folderImages"));
  output_ = addFolder(form, tr("&Results in"), QStringLiteral("folderOutput"), tr("Folder for the results"),
                      [this](const QString& chosen) { run_.setOutput(chosen); });
  region_ = new QComboBox(this);
  region_->setObjectName(QStringLiteral("folderRegion"));
  region_->setAccessibleName(tr("Statistics of"));
  region_->setToolTip(tr("Which part of every picture counts for statistics and scores; results are whole"));
  region_->addItem(tr("The field of view, found in every picture"),
                   static_cast<int>(RegionKind::FieldOfView));
  region_->addItem(tr("The whole picture"), static_cast<int>(RegionKind::Whole));
  region_->addItem(tr("The region that is drawn here"), static_cast<int>(RegionKind::Rectangle));
  form->addRow(tr("&Statistics of"), region_);
  truth_ = addFolder(form, tr("&Manual vessels"), QStringLiteral("folderTruth"),
                     tr("Folder with the manual vessels"),
                     [this](const QString& chosen) { run_.setTruth(chosen); });
  truth_->setPlaceholderText(tr("none"));
  truth_->setToolTip(
      tr("A folder of masks whose names begin with the names of the pictures, or a pattern of names, such as "
         "/scans/truth/*_1stHO.png, where a picture has several"));
  which_ = new MaskChoice(this);
  form->addRow(QString(), which_);
  connect(which_, &MaskChoice::chosen, &run_, &FolderRun::setTruth);
  judged_ = label(tr("Mean and AUC of"), QStringLiteral("folderJudged"));
  judged_->setToolTip(tr("The map that is selected in the window, as in Truth; all are written"));

  bar_ = new QProgressBar(this);
  bar_->setObjectName(QStringLiteral("folderProgress"));
  bar_->setAccessibleName(tr("How far it is"));
  status_ = new QLabel(this);
  status_->setObjectName(QStringLiteral("folderStatus"));
  status_->setWordWrap(true);
  status_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  list_ = new QTreeWidget(this);
  list_->setObjectName(QStringLiteral("folderResults"));
  list_->setAccessibleName(tr("What became of the pictures"));
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setHeaderLabels({tr("Picture"), tr("AUC"), tr("Mean"), tr("What happened")});
  list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  list_->setToolTip(tr("Double-click, or Enter, opens the picture"));
  connect(list_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    Q_EMIT pictureWanted(QDir(QString::fromStdString(folder_.root().string())).filePath(item->text(0)));
  });

  start_ = addButton(tr("Start"), QStringLiteral("folderStart"), {});
  start_->setDefault(true);
  sheet_ = addButton(tr("&Contact sheet"), QStringLiteral("folderSheet"),
                     tr("Every picture beside its response, what looks odd first, in the browser"));
  table_ = addButton(tr("&Table"), QStringLiteral("folderTable"), tr("Open the statistics as a spreadsheet"));
  place_ = addButton(tr("&Files"), QStringLiteral("folderFiles"), tr("Open the folder of the results"));
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(start_);
  buttons->addStretch(1);
  for (QPushButton* button : {sheet_, table_, place_}) buttons->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(bar_);
  column->addWidget(status_);
  column->addWidget(list_, 1);
  column->addLayout(buttons);

  connect(region_, &QComboBox::activated, this,
          [this] { run_.setRegion(static_cast<RegionKind>(region_->currentData().toInt())); });
  connect(scale_, &QDoubleSpinBox::valueChanged, &run_, [this](double value) { session_.setScale(value); });
  connect(start_, &QPushButton::clicked, this, [this] {
    if (run_.state() == FolderRun::State::Running) return run_.stop();
    Q_EMIT runWanted(false);
  });
  const auto opens = [this](QPushButton* button, const char* name) {
    connect(button, &QPushButton::clicked, this, [this, name] {
      const QString file = run_.fileOf(name);
      if (!QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
        status_->setText(tr("No program of this desktop opens %1").arg(file));
    });
  };
  opens(sheet_, folderSheet);
  opens(table_, folderTable);
  opens(place_, "");
  for (const auto signal :
       {&Session::recipeChanged, &Session::bankChanged, &Session::pictureChanged, &Session::planesChanged})
    connect(&session_, signal, this, &FolderRunDialog::readSession);
  connect(&folder_, &Folder::changed, this, &FolderRunDialog::readSession);
  connect(&folder_, &Folder::selectionChanged, this, &FolderRunDialog::readSession);
  connect(&run_, &FolderRun::changed, this, &FolderRunDialog::readRun);
  connect(&run_, &FolderRun::otherRun, this, &FolderRunDialog::ask);
  readSession();
  readRun();
}

QLineEdit* FolderRunDialog::addFolder(QFormLayout* form, const QString& title, const QString& name,
                                      const QString& question, const TakeFolder& set) {
  auto* line = new QLineEdit(this);
  line->setObjectName(name);
  line->setAccessibleName(question);
  auto* choose = new QPushButton(tr("Choose…"), this);
  choose->setObjectName(name + QStringLiteral("Choose"));
  choose->setAccessibleName(tr("Choose: %1").arg(question));
  choose->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->addWidget(line, 1);
  row->addWidget(choose);
  form->addRow(title, row);
  if (auto* buddy = qobject_cast<QLabel*>(form->labelForField(row))) buddy->setBuddy(line);
  // For as long as there is a run: a line that loses the focus in the end finishes editing too.
  connect(line, &QLineEdit::editingFinished, &run_, [line, set] { set(line->text()); });
  connect(choose, &QPushButton::clicked, this, [this, line, question, set] {
    const QString beside = QFileInfo(run_.output()).absolutePath();
    const QString folder =
        QFileDialog::getExistingDirectory(this, question, line->text().isEmpty() ? beside : line->text());
    if (!folder.isEmpty()) set(folder);
  });
  return line;
}

QPushButton* FolderRunDialog::addButton(const QString& title, const QString& name, const QString& hint) {
  auto* button = new QPushButton(title, this);
  button->setObjectName(name);
  button->setToolTip(hint);
  button->setAutoDefault(false);
  return button;
}

QString FolderRunDialog::recipeText() const {
  const Recipe& recipe = session_.recipe();
  if (recipe.ofMaps()) {
    return recipe.title.empty() ? tr("%1 steps").arg(recipe.steps.size())
                                : QString::fromStdString(recipe.title);
  }
  QStringList banks;
  for (const Stage& stage : recipe.stages) {
    const QString name = QFileInfo(QString::fromStdString(stage.bank)).fileName();
    banks << (stage.combine == Combine::None
                  ? name
                  : tr("%1, combined: %2").arg(name, QLatin1String(toString(stage.combine))));
  }
  return banks.join(tr(", then "));
}

void FolderRunDialog::readSession() {
  if (!isVisible()) return;  // whoever shows it reads it
  recipe_->setText(recipeText());
  const std::size_t all = folder_.files().size();
  const std::size_t selected = folder_.selected().size();
  const QString root = QString::fromStdString(folder_.root().string());
  images_->setText(all == 0        ? tr("Open a picture of the folder first.")
                   : selected == 0 ? tr("all %1 in %2").arg(all).arg(root)
                                   : tr("%1 selected of %2 in %3").arg(selected).arg(all).arg(root));
  readRun();
}

void FolderRunDialog::readRun() {
  using State = FolderRun::State;
  const State state = run_.state();
  const bool running = state == State::Running || state == State::Stopping;
  setText(output_, run_.output());
  setText(truth_, run_.truth());
  which_->read(run_.truth(), folder_.files());
  which_->setEnabled(!running);
  const int judged = run_.judgedPlane();
  judged_->setText(session_.planeTitle(judged));
  const bool several = judged >= 0 && session_.planes().size() > 1;
  judged_->setVisible(several);
  form_->labelForField(judged_)->setVisible(several);
  {
    const QSignalBlocker quiet(scale_);
    scale_->setValue(session_.state().pixelsPerDegree);
    scale_->setEnabled(!running);
    scale_->setVisible(session_.asksForScale());
    form_->labelForField(scale_)->setVisible(session_.asksForScale());
  }
  const RegionKind kind = run_.region();
  const bool either = kind == RegionKind::Whole || kind == RegionKind::FieldOfView;
  {
    const QSignalBlocker quiet(region_);
    region_->setCurrentIndex(region_->findData(static_cast<int>(either ? kind : RegionKind::Rectangle)));
  }
  for (QWidget* part : findChildren<QWidget*>()) {
    if (part == output_ || part == truth_ || part == region_ ||
        part->objectName().endsWith(QLatin1String("Choose")))
      part->setEnabled(!running);
  }
  const FolderProgress& now = run_.progress();
  bar_->setVisible(state != State::Idle);
  // Nothing is known of the length before images were counted.
  bar_->setRange(0, static_cast<int>(running ? now.total : std::max<std::int64_t>(1, now.total)));
  bar_->setValue(static_cast<int>(
      now.stage == FolderProgress::Stage::Measuring ? now.done : now.before + now.done + now.failed));
  status_->setText(stateText());
  const bool outdated = run_.outdated();
  // What failed before it began does not go on.
  const bool broken = (state == State::Stopped || state == State::Failed) && !outdated && now.total > 0;
  start_->setText(state == State::Running ? tr("Stop") : broken ? tr("Go on") : tr("Start"));
  list_->setEnabled(!outdated);
  const bool ready = !folder_.files().empty() && !session_.scaleMissing();
  start_->setEnabled(state == State::Running || (state != State::Stopping && ready));
  sheet_->setEnabled(state == State::Done);
  table_->setEnabled(state == State::Done);
  place_->setEnabled(state == State::Done || state == State::Stopped);
  listResults();
}

void FolderRunDialog::ask() {
  if (!isVisible()) return;  // who sent it away does not want to be asked
  QMessageBox box(QMessageBox::Warning, tr("Run over folder"),
                  tr("%1 has the results of other pictures or other settings.").arg(run_.output()),
                  QMessageBox::Cancel, this);
  box.setObjectName(QStringLiteral("replaceRun"));
  box.setInformativeText(tr("Replace them? They are removed before the run begins."));
  const QAbstractButton* replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  if (box.clickedButton() == replace) Q_EMIT runWanted(true);
}

void FolderRunDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  readSession();
}

void FolderRunDialog::keyPressEvent(QKeyEvent* event) {
  // As everywhere, Escape stops what runs; then it closes.
  if (event->key() != Qt::Key_Escape || run_.state() != FolderRun::State::Running)
    return QDialog::keyPressEvent(event);
  run_.stop();
  event->accept();
}

}  // namespace bankside::window
