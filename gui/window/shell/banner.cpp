#include "gui/window/shell/banner.h"

#include <QHBoxLayout>
#include <QLabel>
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
  auto* close = new QToolButton(this);
  close->setObjectName(QStringLiteral("bannerClose"));
  close->setText(QStringLiteral("✕"));
  close->setAutoRaise(true);
  close->setToolTip(tr("Dismiss"));
  close->setAccessibleName(tr("Dismiss the message"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(10, 4, 4, 4);
  row->addWidget(text_, 1);
  row->addWidget(close);
  connect(close, &QToolButton::clicked, this, &QWidget::hide);
  hide();
}

void Banner::showSentence(const QString& sentence) {
  text_->setText(sentence);
  setVisible(!sentence.isEmpty());
}

QString Banner::sentence() const { return isHidden() ? QString() : text_->text(); }

}  // namespace bankside::window
