/// What the dialog of a run over the folder says of it, and of its pictures one by one.
#include <QFileInfo>
#include <QLabel>
#include <QTreeWidget>
#include <algorithm>

#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/panels/folder_run_dialog.h"
#include "gui/window/panels/mask_choice.h"

namespace bankside::window {
namespace {

/// The table has all of them.
constexpr std::size_t mostRows = 1000;

/// Sentences begin with the path of the file, which the first column names.
QString reasonOf(const QString& image, const QString& sentence) {
  const qsizetype at = sentence.indexOf(image + QStringLiteral(": "));
  return at < 0 ? sentence : sentenceOf(sentence.mid(at + image.size() + 2).toStdString());
}

/// Of several results of a picture the one that is scored.
std::vector<const FolderReport::Row*> scoredRows(const FolderReport& report) {
  std::vector<const FolderReport::Row*> rows;
  for (const FolderReport::Row& row : report.rows)
    if (row.judged) rows.push_back(&row);
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
                 ? tr("The recipe must know how many pixels a degree of the eye has: give it above.")
             : which_->open() ? tr("Pictures have several manual vessels each: choose which of them count.")
             : QFileInfo::exists(run_.output() + QStringLiteral("/manifest.jsonl"))
                 ? tr("There are results already: what a stopped run has finished is kept, and it goes on.")
                 : tr("Ready to start.");
    case FolderRun::State::Running:
      return now.stage == FolderProgress::Stage::Measuring ? tr("Measuring the results")
             : now.total == 0                              ? tr("Looking at the files…")
                              : doneText(now.before + now.done, now.total, now.failed);
    case FolderRun::State::Stopping: return tr("Finishing the pictures in hand…");
    case FolderRun::State::Stopped:
      return now.total > 0 ? tr("Stopped. What is finished is kept; Go on does the rest.") : tr("Stopped.");
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

}  // namespace bankside::window
