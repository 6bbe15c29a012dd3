#include "gui/window/panels/compare_panel.h"

#include <QComboBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "gui/window/canvas/eliding_box.h"
#include "gui/window/compute/value_text.h"
#include "gui/window/panels/low_view.h"

namespace bankside::window {
namespace {

QString row(const QString& what, const QString& value, const QString& hint) {
  return QStringLiteral(
             "<tr><td style='padding-right:8px'>%1</td><td align=right><b>%2</b></td></tr>"
             "<tr><td colspan=2><small>%3</small></td></tr>")
      .arg(what.toHtmlEscaped(), value.toHtmlEscaped(), hint.toHtmlEscaped());
}

QString inWords(const PlaneMetrics& m, bool inside) {
  const auto tr = [](const char* text) { return ComparePanel::tr(text); };
  const QString where = inside ? tr("inside the region") : tr("in the whole picture");
  if (m.equal == m.pixels) return tr("The two are equal in all %1 pixels %2.").arg(m.pixels).arg(where);
  QString text = tr("%1 of %2 pixels %3 are equal.").arg(m.equal).arg(m.pixels).arg(where);
  text += QStringLiteral("<table width=100%>");
  text += row(tr("RMSE"), shortValueText(m.rootMeanSquare, 4), tr("How far values are apart, typically"));
  if (m.share)
    text += row(tr("Relative"), QStringLiteral("%1 %").arg(shortValueText(100 * *m.share, 3)),
                tr("The same, of A's own size"));
  text += row(tr("Largest"), shortValueText(m.largest, 4), tr("at column %1, row %2").arg(m.x).arg(m.y));
  if (m.psnr)
    text += row(tr("PSNR"), tr("%1 dB").arg(*m.psnr, 0, 'f', 1),
                tr("A's range, %1, over the RMSE").arg(shortValueText(m.peak, 4)));
  if (m.ssim)
    text += row(tr("SSIM"), QString::number(*m.ssim, 'f', 4), tr("Likeness of structure: 1 is the same"));
  return text + QStringLiteral("</table>");
}

}  // namespace

ComparePanel::ComparePanel(Session& session, PaneComparison& comparison, QWidget* parent)
    : QWidget(parent), session_(session), comparison_(comparison) {
  setObjectName(QStringLiteral("comparePanel"));
  first_ = paneChoice(QStringLiteral("compareFirst"), tr("First pane to compare"));
  second_ = paneChoice(QStringLiteral("compareSecond"), tr("Second pane to compare"));
  figures_ = new QLabel(this);
  figures_->setObjectName(QStringLiteral("compareFigures"));
  figures_->setAccessibleName(tr("How far the two are apart"));
  figures_->setWordWrap(true);
  figures_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  resume_ = new QPushButton(tr("Compute"), this);
  resume_->setObjectName(QStringLiteral("compareResume"));
  resume_->setToolTip(tr("Compare the two panes after all"));
  kept_ = new LowView<QListWidget>(this);
  kept_->setObjectName(QStringLiteral("keptList"));
  kept_->setAccessibleName(tr("Kept results"));
  kept_->setMinimumHeight(4 * fontMetrics().height());
  auto* title = new QLabel(tr("&Kept results"), this);
  title->setBuddy(kept_);
  auto* form = new QFormLayout;
  form->addRow(tr("&A"), first_);
  form->addRow(tr("&B"), second_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(8, 6, 8, 6);
  column->addLayout(form);
  column->addWidget(figures_);
  column->addWidget(resume_);
  column->addWidget(title);
  column->addWidget(kept_, 1);
  column->addLayout(makeButtons());

  connect(resume_, &QPushButton::clicked, &comparison_, &PaneComparison::resume);
  connect(kept_, &QListWidget::currentRowChanged, this, &ComparePanel::readButtons);
  connect(kept_, &QListWidget::itemActivated, show_, &QPushButton::click);
  connect(&comparison_, &PaneComparison::changed, this, &ComparePanel::readComparison);
  connect(&session_, &Session::panesChanged, this, &ComparePanel::readSession);
  connect(&session_, &Session::keptChanged, this, &ComparePanel::readSession);
  readSession();
  readComparison();
}

QComboBox* ComparePanel::paneChoice(const QString& name, const QString& title) {
  auto* box = new ElidingBox(Qt::ElideRight, 8, 8, this);
  box->setObjectName(name);
  box->setAccessibleName(title);
  box->setToolTip(tr("These two are measured, swiped and blinked between"));
  connect(box, &QComboBox::activated, this,
          [this] { session_.setCompared(first_->currentIndex(), second_->currentIndex()); });
  return box;
}

QLayout* ComparePanel::makeButtons() {
  auto* buttons = new QGridLayout;
  const auto add = [&](const QString& name, const QString& text, const QString& hint) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(hint);
    const int number = buttons->count();
    buttons->addWidget(button, number / 2, number % 2);
    return button;
  };
  show_ = add(QStringLiteral("keptShow"), tr("Show as B"),
              tr("Show it beside A, in a pane of its own where there is room"));
  again_ = add(QStringLiteral("keptAgain"), tr("Use again"),
               tr("Go on from its picture, bank or recipe, and settings"));
  forget_ = add(QStringLiteral("keptForget"), tr("Forget"), tr("Give its memory back"));
  connect(show_, &QPushButton::clicked, this, [this] {
    if (selected() != 0) showAsSecond();
  });
  connect(again_, &QPushButton::clicked, this, [this] {
    if (selected() != 0) Q_EMIT usedAgain(selected());
  });
  connect(forget_, &QPushButton::clicked, this, [this] {
    if (selected() != 0) session_.forgetKept(selected());
  });
  return buttons;
}

void ComparePanel::showAsSecond() {
  // What goes on being computed stays, as long as there is room beside it.
  const auto pair = session_.comparedPanes();
  auto panes = session_.state().panes;
  const PaneSpec second = panes[static_cast<std::size_t>(pair[1])];
  const bool stays = second.layer != Layer::Kept || pair[0] == pair[1];
  if (stays && panes.size() < mostPanes) {
    session_.setCompared(pair[0], static_cast<int>(panes.size()));
    panes.push_back({Layer::Kept, selected()});
    return session_.setPanes(std::move(panes));
  }
  if (stays)
    Q_EMIT told(tr("Pane %1 shows it in the place of %2; undo (Ctrl+Z) brings that back.")
                    .arg(pair[1] + 1)
                    .arg(session_.titleOf(session_.keyOf(second))));
  session_.setPane(pair[1], {Layer::Kept, selected()});
}

int ComparePanel::selected() const {
  const QListWidgetItem* item = kept_->currentItem();
  return item != nullptr ? item->data(Qt::UserRole).toInt() : 0;
}

void ComparePanel::readSession() {
  const auto pair = session_.comparedPanes();
  for (QComboBox* box : {first_, second_}) {
    const QSignalBlocker quiet(box);
    box->clear();
    int number = 0;
    const auto& panes = session_.state().panes;
    for (const PaneSpec& pane : session_.picture() ? panes : std::vector<PaneSpec>()) {
      const PlaneKey key = session_.keyOf(pane);
      const QString plane = session_.planeTitle(key);
      const QString what = key.layer == Layer::Kept ? tr("kept %1").arg(session_.titleOf(key))
                           : plane.isEmpty()        ? session_.titleOf(key)
                                                    : session_.titleOf(key) + QStringLiteral(" · ") + plane;
      box->addItem(QStringLiteral("%1: %2").arg(++number).arg(what));
      box->setItemData(number - 1, what, Qt::ToolTipRole);
    }
    box->setCurrentIndex(pair[box == first_ ? 0 : 1]);
  }
  const QSignalBlocker quiet(kept_);
  const int before = selected();
  kept_->clear();
  for (const KeptResult& kept : session_.kept().all()) {
    auto* item = new QListWidgetItem(kept.title, kept_);
    item->setData(Qt::UserRole, kept.number);
    item->setToolTip(kept.whole);
    if (kept.number == before) kept_->setCurrentItem(item);
  }
  if (kept_->currentRow() < 0) kept_->setCurrentRow(kept_->count() - 1);
  readButtons();
}

void ComparePanel::readButtons() {
  for (QPushButton* button : {show_, again_, forget_}) button->setEnabled(selected() != 0);
}

void ComparePanel::readComparison() {
  resume_->setVisible(comparison_.stopped());
  const auto& metrics = comparison_.metrics();
  figures_->setText(metrics ? QStringLiteral("<p>%1</p>").arg(comparison_.words().toHtmlEscaped()) +
                                  inWords(*metrics, session_.state().region.kind != RegionKind::Whole)
                    : comparison_.sentence().isEmpty()
                        ? tr("Both panes need a finished result. “Keep” above a pane keeps what it shows, or "
                             "the bank, recipe "
                             "or picture behind it, so that another can be held against it.")
                        : comparison_.sentence());
}

}  // namespace bankside::window
