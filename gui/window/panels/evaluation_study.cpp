/// What an evaluation is of: folders, files and thresholds.
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "gui/window/compute/thumbnail.h"
#include "gui/window/panels/evaluation_panel.h"
#include "gui/window/panels/mask_choice.h"

namespace bankside::window {

QWidget* EvaluationPanel::makeStudy() {
  auto* page = new QWidget(this);
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(6, 4, 6, 2);
  grid->setVerticalSpacing(3);
  using R = EvaluationRequest;
  const QString pattern = tr(
      "A folder, or a pattern of names such as /scans/truth/*_1stHO.png. A mask belongs to the picture with "
      "whose name its own begins; what is not black counts.");
  addPlace(grid, tr("&Pictures"), QStringLiteral("evaluationImages"),
           tr("A folder of photographs, or a pattern of names"), &R::images);
  addPlace(grid, tr("&Manual vessels"), QStringLiteral("evaluationTruth"), pattern, &R::truth);
  addPlace(grid, tr("Field of &view"), QStringLiteral("evaluationField"),
           pattern + QLatin1Char(' ') +
               tr("Without it dark frames count too, which makes every figure look better than it is."),
           &R::fieldOfView);
  addPlace(grid, tr("Second &observer"), QStringLiteral("evaluationObserver"), pattern, &R::observer);
  addPlace(grid, tr("Threshold of &another set"), QStringLiteral("evaluationCarried"),
           tr("The JSON report of an evaluation of other pictures: its best threshold is judged on these"),
           &R::thresholdFrom);
  places_[2].line->setPlaceholderText(tr("the whole picture"));
  places_[3].line->setPlaceholderText(tr("nobody"));
  places_[4].line->setPlaceholderText(tr("none"));
  threshold_ = new QLineEdit(page);
  threshold_->setObjectName(QStringLiteral("evaluationThreshold"));
  threshold_->setToolTip(tr("A pixel is called vessel where the response is at least that"));
  auto* title = new QLabel(tr("Fixed &threshold"), page);
  title->setBuddy(threshold_);
  const int last = grid->rowCount();
  grid->addWidget(title, last, 0);
  grid->addWidget(threshold_, last, 1);
  grid->setRowStretch(last + 1, 1);
  asked_.push_back(threshold_);
  connect(threshold_, &QLineEdit::editingFinished, &run_, [this] { takeThreshold(); });
  return page;
}

void EvaluationPanel::addPlace(QGridLayout* grid, const QString& title, const QString& name,
                               const QString& hint, std::string EvaluationRequest::*place) {
  auto* line = new QLineEdit(grid->parentWidget());
  line->setObjectName(name);
  line->setToolTip(hint);
  auto* label = new QLabel(title, grid->parentWidget());
  label->setBuddy(line);
  auto* choose = new QPushButton(tr("Choose…"), grid->parentWidget());
  choose->setObjectName(name + QStringLiteral("Choose"));
  const QString what = QString(title).remove(QLatin1Char('&'));
  choose->setAccessibleName(tr("Choose: %1").arg(what));
  const int row = grid->rowCount();
  grid->addWidget(label, row, 0);
  grid->addWidget(line, row, 1);
  grid->addWidget(choose, row, 2);
  MaskChoice* which = nullptr;
  if (place != &EvaluationRequest::images && place != &EvaluationRequest::thresholdFrom) {
    which = new MaskChoice(grid->parentWidget());
    which->setObjectName(name + QStringLiteral("Which"));
    grid->addWidget(which, row + 1, 1, 1, 2);
    asked_.push_back(which);
    connect(which, &MaskChoice::chosen, &run_,
            [this, place](const QString& pattern) { run_.setPlace(place, pattern); });
  }
  places_.push_back({line, place, which});
  asked_.insert(asked_.end(), {line, choose});
  // For as long as there is a run: a line that loses the focus in the end finishes editing too.
  connect(line, &QLineEdit::editingFinished, &run_,
          [this, line, place] { run_.setPlace(place, line->text()); });
  connect(choose, &QPushButton::clicked, this, [this, line, what, place] {
    const bool report = place == &EvaluationRequest::thresholdFrom;
    const QString beside =
        line->text().isEmpty() ? QFileInfo(places_.front().line->text()).absolutePath() : line->text();
    const QString chosen =
        report ? QFileDialog::getOpenFileName(this, what, beside, tr("Reports (*.json);;All files (*)"))
               : QFileDialog::getExistingDirectory(this, what, beside);
    if (!chosen.isEmpty()) run_.setPlace(place, chosen);
  });
}

void EvaluationPanel::readChoices(const EvaluationRequest& request) {
  if (listedOf_ != request.images) {
    listedOf_ = request.images;
    listed_ = listedOf_.empty() ? std::vector<std::filesystem::path>() : imagesBelow(listedOf_, false);
  }
  for (const Place& each : places_)
    if (each.which != nullptr) each.which->read(QString::fromStdString(request.*each.place), listed_);
}

bool EvaluationPanel::choosing() const {
  return std::any_of(places_.begin(), places_.end(),
                     [](const Place& each) { return each.which != nullptr && each.which->open(); });
}

void EvaluationPanel::takeThreshold() {
  bool number = false;
  const QString text = threshold_->text().trimmed();
  const double value = text.toDouble(&number);
  if (text.isEmpty()) return run_.setThreshold({});
  if (number && std::isfinite(static_cast<float>(value))) return run_.setThreshold(value);
  threshold_->setModified(false);
  readRun();  // what it was
  status_->setText(tr("\"%1\" is no threshold: a number such as 3.5 is.").arg(text));
}

}  // namespace bankside::window
