#include "gui/window/panels/page_bar.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

namespace bankside::window {

PageBar::PageBar(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setObjectName(QStringLiteral("pageBar"));
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setObjectName(QStringLiteral("pageSlider"));
  slider_->setAccessibleName(tr("Page"));
  slider_->setToolTip(tr("The page of the file that is shown and filtered (Ctrl+Page down, Ctrl+Page up)"));
  slider_->setPageStep(1);
  number_ = new QSpinBox(this);
  number_->setObjectName(QStringLiteral("pageNumber"));
  number_->setAccessibleName(tr("Number of the page"));
  number_->setPrefix(tr("page "));
  number_->setKeyboardTracking(false);
  all_ = new QLabel(this);
  all_->setObjectName(QStringLiteral("pagesTogether"));
  all_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // no words make the window larger
  largest_ = new QCheckBox(tr("Maximum of all pages"), this);
  largest_->setObjectName(QStringLiteral("pagesLargest"));
  largest_->setToolTip(
      tr("One image of the largest value that any page has at a pixel (maximum intensity projection)"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(6, 2, 6, 2);
  row->addWidget(slider_, 1);
  row->addWidget(number_);
  row->addWidget(all_, 1);
  row->addWidget(largest_);

  connect(slider_, &QSlider::valueChanged, this, [this](int page) { Q_EMIT pageWanted(page - 1); });
  connect(number_, &QSpinBox::valueChanged, this, [this](int page) { Q_EMIT pageWanted(page - 1); });
  connect(largest_, &QCheckBox::toggled, this, [this](bool on) {
    Recipe recipe = session_.recipe();
    recipe.channel = on ? ChannelChoice::PagesMax : ChannelChoice::Auto;
    session_.setRecipe(recipe);
  });
  connect(&session_, &Session::pictureChanged, this, &PageBar::readSession);
  connect(&session_, &Session::recipeChanged, this, &PageBar::readSession);
  readSession();
}

void PageBar::readSession() {
  const PicturePtr& picture = session_.picture();
  const bool stacked = picture && picture->stacked;
  const int pages = !picture ? 1 : stacked ? picture->info.channels : picture->info.pages;
  const QSignalBlocker quiet[] = {QSignalBlocker(slider_), QSignalBlocker(number_), QSignalBlocker(largest_)};
  slider_->setRange(1, pages);
  number_->setRange(1, pages);
  setVisible(pages > 1);
  if (pages < 2) return;
  const ChannelChoice channel = session_.recipe().channel;
  for (QWidget* widget : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(number_)})
    widget->setVisible(!stacked);
  all_->setVisible(stacked);
  all_->setText(channel == ChannelChoice::PagesMax ? tr("The largest value of %1 pages").arg(pages)
                                                   : tr("%1 pages as channels of one image").arg(pages));
  all_->setToolTip(all_->text());
  largest_->setChecked(channel == ChannelChoice::PagesMax);
  number_->setSuffix(tr(" of %1").arg(pages));
  slider_->setValue(picture->page + 1);
  number_->setValue(picture->page + 1);
}

}  // namespace bankside::window
