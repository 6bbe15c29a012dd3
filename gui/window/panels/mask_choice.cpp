#include "gui/window/panels/mask_choice.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "gui/window/compute/mask_patterns.h"

namespace bankside::window {

MaskChoice::MaskChoice(QWidget* parent) : QWidget(parent) {
  title_ = new QLabel(tr("Which of them"), this);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(title_);
  row->addStretch(1);
  hide();
}

void MaskChoice::read(const QString& place, const std::vector<std::filesystem::path>& images) {
  const QFileInfo folder(QFileInfo(place).isDir() ? place : QFileInfo(place).path());
  const QDateTime changed = place.isEmpty() ? QDateTime() : folder.lastModified();
  if (place == place_ && images == images_ && changed == changed_) return;
  place_ = place;
  images_ = images;
  changed_ = changed;
  fill(place.isEmpty() ? std::vector<std::string>() : maskPatterns(place.toStdString(), images));
}

void MaskChoice::fill(const std::vector<std::string>& patterns) {
  for (auto* button : findChildren<QPushButton*>()) {
    button->hide();
    button->deleteLater();  // it may be the one that was just pressed
  }
  auto* row = static_cast<QHBoxLayout*>(layout());
  open_ = !patterns.empty() && QFileInfo(place_).isDir();  // a pattern of somebody's own is an answer
  int number = 0;
  for (const std::string& each : patterns) {
    const QString pattern = QString::fromStdString(each);
    auto* button = new QPushButton(QFileInfo(pattern).fileName(), this);
    button->setObjectName(QStringLiteral("maskChoice%1").arg(number));
    button->setToolTip(tr("The masks with such names: %1").arg(pattern));
    button->setAutoDefault(false);
    button->setCheckable(true);
    button->setChecked(pattern == place_);
    connect(button, &QPushButton::clicked, this, [this, pattern] { Q_EMIT chosen(pattern); });
    row->insertWidget(++number, button);
    button->show();
  }
  setVisible(!patterns.empty());
}

}  // namespace bankside::window
