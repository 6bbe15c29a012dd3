#include "gui/window/panels/folder_run_dialog.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
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
#include <algorithm>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {
namespace {

/// The table has all of them.
constexpr std::size_t mostRows = 1000;

void setText(QLineEdit* line, const QString& text) {
  if (line->text() != text) line->setText(text);
}

}  // namespace

FolderRunDialog::FolderRunDialog(Session& session, Folder& folder, FolderRun& run, QWidget* parent)
    : QDialog(parent), session_(session), folder_(folder), run_(run) {
  setObjectName(QStringLiteral("folderRun"));
  setWindowTitle(tr("Run over folder"));
  resize(620, 560);
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  const auto label = [this, form](const QString& title, const QString& name) {
    auto* text = new QLabel(this);
    text->setObjectName(name);
    text->setWordWrap(true);
    form->addRow(title, text);
    return text;
  };
  recipe_ = label(tr("Recipe"), QStringLiteral("folderRecipe"));
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
         "/scans/truth/*_1stHO.png, where a picture has several. Of several results of a picture the last "
         "one is scored."));

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
  for (const auto signal : {&Session::recipeChanged, &Session::bankChanged, &Session::pictureChanged})
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
  recipe_->setText(recipeText());
  const std::size_t all = folder_.files().size();
  const std::size_t selected = folder_.selected().size();
  const QString root = QString::fromStdString(folder_.root().string());
  images_->setText(all == 0        ? tr("Open a picture of the folder first.")
                   : selected == 0 ? tr("all %1 in %2").arg(all).arg(root)
                                   : tr("%1 selected of %2 in %3").arg(selected).arg(all).arg(root));
  readRun();
}

namespace {

/// Sentences begin with the path of the file, which the first column names.
QString reasonOf(const QString& image, const QString& sentence) {
  const qsizetype at = sentence.indexOf(image + QStringLiteral(": "));
  return at < 0 ? sentence : sentenceOf(sentence.mid(at + image.size() + 2).toStdString());
}

/// Of several results of a picture the one that is scored.
std::vector<const FolderReport::Row*> scoredRows(const FolderReport& report) {
  std::vector<const FolderReport::Row*> rows;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    if (i + 1 == report.rows.size() || report.rows[i + 1].image != report.rows[i].image)
      rows.push_back(&report.rows[i]);
  }
  return rows;
}

QString unscoredOf(const FolderReport::Row& row) {
  return reasonOf(QString::fromStdString(row.image), QString::fromStdString(row.unscored));
}

QString noteOf(const FolderReport::Row& row) {
  const QString note = QString::fromStdString(row.note);
  if (row.unscored.empty()) return note;
  return note + (note.isEmpty() ? QString() : QStringLiteral("; ")) +
         FolderRunDialog::tr("Not scored: %1").arg(unscoredOf(row));
}

/// How many were not scored though there is a truth, and why the first one was not.
QString unscoredText(const FolderReport& report) {
  const auto rows = scoredRows(report);
  const auto unscored = [](const FolderReport::Row* row) { return !row->unscored.empty(); };
  const auto first = std::find_if(rows.begin(), rows.end(), unscored);
  if (first == rows.end()) return {};
  return QLatin1Char(' ') + FolderRunDialog::tr("%1 of %2 pictures are not scored. %3: %4")
                                .arg(std::count_if(rows.begin(), rows.end(), unscored))
                                .arg(rows.size())
                                .arg(QString::fromStdString((*first)->image), unscoredOf(**first));
}

}  // namespace

QString FolderRunDialog::stateText() const {
  const FolderProgress& now = run_.progress();
  const bool listed = list_->topLevelItemCount() > 0;
  if (run_.outdated() && run_.state() != FolderRun::State::Idle)
    return listed ? tr("What is listed is of other settings; Start runs those above.")
                  : tr("Ready to start.");
  switch (run_.state()) {
    case FolderRun::State::Idle:
      return session_.scaleMissing()
                 ? tr("The recipe must know how many pixels a degree has: answer in the pane first.")
                 : tr("What was stopped goes on where it was.");
    case FolderRun::State::Running:
      return now.stage == FolderProgress::Stage::Measuring ? tr("Measuring the results")
             : now.total == 0                              ? tr("Looking at the files…")
                              : doneText(now.before + now.done, now.total, now.failed);
    case FolderRun::State::Stopping: return tr("Finishing the pictures in hand…");
    case FolderRun::State::Stopped: return tr("Stopped. What is finished is kept; Go on does the rest.");
    case FolderRun::State::Failed: return run_.error();
    case FolderRun::State::Done: break;
  }
  const auto rows = scoredRows(*run_.report());
  const auto failed = std::count_if(rows.begin(), rows.end(),
                                    [](const FolderReport::Row* row) { return !row->error.empty(); });
  const auto all = static_cast<std::int64_t>(rows.size());
  QString text = failed == 0 ? tr("Done.") : tr("%1.").arg(doneText(all - failed, all, failed));
  const auto& evaluation = run_.report()->evaluation;
  if (evaluation)
    text += QLatin1Char(' ') + tr("Area under the curve of all pictures together (AUC) %1, on average %2.")
                                   .arg(evaluation->pooledArea.value, 0, 'f', 4)
                                   .arg(evaluation->meanArea.value, 0, 'f', 4);
  return text + unscoredText(*run_.report());
}

void FolderRunDialog::readRun() {
  using State = FolderRun::State;
  const State state = run_.state();
  const bool running = state == State::Running || state == State::Stopping;
  setText(output_, run_.output());
  setText(truth_, run_.truth());
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
  const bool broken = (state == State::Stopped || state == State::Failed) && !outdated;
  start_->setText(state == State::Running ? tr("Stop") : broken ? tr("Go on") : tr("Start"));
  list_->setEnabled(!outdated);
  start_->setEnabled(state != State::Stopping && !folder_.files().empty() && !session_.scaleMissing());
  sheet_->setEnabled(state == State::Done);
  table_->setEnabled(state == State::Done);
  place_->setEnabled(state == State::Done || state == State::Stopped);
  listResults();
}

void FolderRunDialog::listResults() {
  std::vector<QStringList> rows;
  for (const FolderRun::Ended& each : run_.ended()) {
    if (rows.size() < mostRows)
      rows.push_back(
          {each.image, {}, {}, each.reason.isEmpty() ? tr("Filtered") : reasonOf(each.image, each.reason)});
  }
  if (const auto& report = run_.report()) {
    rows.clear();
    for (const bool odd : {true, false}) {
      for (const FolderReport::Row* each : scoredRows(*report)) {
        const FolderReport::Row& row = *each;
        if (row.error.empty() == odd || rows.size() >= mostRows) continue;
        const auto score = static_cast<std::size_t>(row.score);
        rows.push_back(
            {QString::fromStdString(row.image),
             row.score < 0 ? QString() : QString::number(report->evaluation->images[score].area, 'f', 4),
             row.inside ? shortValueText(static_cast<float>(row.inside->mean), 4) : QString(),
             odd ? reasonOf(QString::fromStdString(row.image), sentenceOf(row.error)) : noteOf(row)});
      }
    }
  }
  // While it runs failures come one by one: what is there stays.
  const auto shown = static_cast<std::size_t>(list_->topLevelItemCount());
  const bool more = !run_.report() && shown <= rows.size() && shown > 0;
  if (!more) list_->clear();
  for (std::size_t i = more ? shown : 0; i < rows.size(); ++i) {
    auto* item = new QTreeWidgetItem(list_, rows[i]);
    item->setToolTip(3, rows[i][3]);
  }
}

void FolderRunDialog::ask() {
  if (!isVisible()) return;  // who sent it away does not want to be asked
  QMessageBox box(QMessageBox::Warning, tr("Run over folder"),
                  tr("%1 has the results of other pictures or other settings.").arg(run_.output()),
                  QMessageBox::Cancel, this);
  box.setObjectName(QStringLiteral("replaceRun"));
  box.setInformativeText(tr("Nothing was done. Replace those that differ?"));
  const QAbstractButton* replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
  box.setDefaultButton(QMessageBox::Cancel);
  box.exec();
  if (box.clickedButton() == replace) Q_EMIT runWanted(true);
}

void FolderRunDialog::keyPressEvent(QKeyEvent* event) {
  // As everywhere, Escape stops what runs; then it closes.
  if (event->key() != Qt::Key_Escape || run_.state() != FolderRun::State::Running)
    return QDialog::keyPressEvent(event);
  run_.stop();
  event->accept();
}

}  // namespace bankside::window
