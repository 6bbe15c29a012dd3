#include "gui/window/canvas/pane_notice.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace bankside::window {

PaneNotice::PaneNotice(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("paneNotice"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setCursor(Qt::ArrowCursor);
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("paneNoticeText"));
  text_->setWordWrap(true);
  text_->setAlignment(Qt::AlignCenter);
  buttons_ = new QGridLayout;
  buttons_->setSpacing(6);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 8, 12, 8);
  column->addWidget(text_);
  column->addLayout(buttons_);
  hide();
}

void PaneNotice::say(const PaneMessage& message, const QRect& part) {
  setVisible(!message.text.isEmpty());
  if (message.text.isEmpty()) return;
  QStringList titles;
  for (const Offer& offer : message.offers) titles.append(offer.title);
  QStringList held;
  for (const auto* button : findChildren<QPushButton*>()) held.append(button->text());
  if (titles != held) {
    qDeleteAll(findChildren<QPushButton*>());
    int number = 0;
    for (const Offer& offer : message.offers) {
      auto* button = new QPushButton(offer.title, this);
      button->setObjectName(QStringLiteral("paneOffer%1").arg(number++));
      connect(
          button, &QPushButton::clicked, this, [this, offer] { Q_EMIT chosen(offer); },
          Qt::QueuedConnection);  // what it does may take the button away
      button->show();
    }
  }
  text_->setText(message.text);
  const int most = std::max(60, part.width() - 16);
  const int words = text_->fontMetrics().horizontalAdvance(message.text) + 40;
  const int buttons = arrange(most - 24) + 24;
  const int width = std::min(most, std::max(buttons, std::min(words, 340)));
  const int height =
      layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : sizeHint().height();
  const QSize size(width, std::min(height, std::max(30, part.height() - 8)));
  setGeometry(QRect(part.center() - QPoint(size.width() / 2, size.height() / 2), size));
  raise();
}

int PaneNotice::arrange(int most) {
  const auto all = findChildren<QPushButton*>();
  int widest = 0;
  for (const auto* button : all) widest = std::max(widest, button->sizeHint().width() + 6);
  const int columns = std::clamp(most / std::max(1, widest), 1, 3);
  for (int i = 0; i < all.size(); ++i) buttons_->addWidget(all[i], i / columns, i % columns);
  return static_cast<int>(std::min<qsizetype>(columns, all.size())) * widest;
}

}  // namespace bankside::window
