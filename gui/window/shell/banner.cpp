#include "gui/window/shell/banner.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace bankside::window {

Banner::Banner(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("banner"));
  setFrameShape(QFrame::NoFrame);
  setAutoFillBackground(true);
  QPalette colors = palette();
  colors.setColor(QPalette::Window, QColor(163, 44, 40));
  colors.setColor(QPalette::WindowText, Qt::white);
  colors.setColor(QPalette::ButtonText, Qt::white);
  setPalette(colors);
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("bannerText"));
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  help_ = new QPushButton(this);
  help_->setObjectName(QStringLiteral("bannerHelp"));
  auto* close = new QToolButton(this);
  close->setObjectName(QStringLiteral("bannerClose"));
  close->setText(QStringLiteral("✕"));
  close->setAutoRaise(true);
  close->setToolTip(tr("Dismiss"));
  close->setAccessibleName(tr("Dismiss the message"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 4, 4, 4);
  row->addWidget(text_, 1);
  row->addWidget(help_);
  row->addWidget(close);
  connect(help_, &QPushButton::clicked, this, [this] {
    const auto run = run_;
    hide();
    if (run) run();
  });
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  hide();
}

/// A button like others, on red.
void Banner::colourHelp() {
  // Every colour by itself: what a palette was not told comes from the parent, white words among it.
  QPalette colors = QApplication::palette();
  for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
    for (const auto role : {QPalette::Button, QPalette::ButtonText, QPalette::WindowText, QPalette::Window})
      colors.setBrush(group, role, colors.brush(group, role));
  }
  help_->setPalette(colors);
}

void Banner::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::ApplicationPaletteChange && help_ != nullptr) colourHelp();
}

void Banner::showSentence(const QString& sentence, std::optional<Work> cause, Help help) {
  text_->setText(sentence);
  cause_ = cause;
  help_->setText(help.title);
  help_->setVisible(!help.title.isEmpty());
  colourHelp();
  run_ = std::move(help.run);
  setVisible(!sentence.isEmpty());
}

void Banner::clear(Work cause) {
  if (!cause_ || *cause_ == cause) hide();
}

QString Banner::sentence() const { return isHidden() ? QString() : text_->text(); }

}  // namespace bankside::window
