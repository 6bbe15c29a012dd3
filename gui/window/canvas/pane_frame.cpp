#include "gui/window/canvas/pane_frame.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/window/canvas/eliding_box.h"
#include "gui/window/canvas/image_pane.h"
#include "gui/window/canvas/menu_button.h"
#include "gui/window/compute/layer_title.h"
#include "gui/window/compute/plane_summary.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {

PaneFrame::PaneFrame(Session& session, int pane, QWidget* parent)
    : QWidget(parent), session_(session), pane_(pane) {
  setObjectName(QStringLiteral("paneFrame%1").arg(pane));
  constexpr int narrowest = 110;
  setMinimumWidth(narrowest);  // of its own, so that no choice in the header makes the window wider
  own_ = makeChoices(0, QString::number(pane));
  if (pane == 0) other_ = makeChoices(1, QStringLiteral("Right"));
  text_ = new QLabel(this);
  text_->setObjectName(QStringLiteral("paneText%1").arg(pane));
  text_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  text_->installEventFilter(this);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  keep_ = new MenuButton(tr("Keep"), this);
  keep_->setObjectName(QStringLiteral("keepPane%1").arg(pane));
  keep_->setAccessibleName(tr("Keep what pane %1 shows").arg(pane + 1));
  keep_->setToolTip(
      tr("Keep this result as it is, to compare others with it (Ctrl+K); or the recipe or the picture behind "
         "it, so that it goes on being computed"));
  keep_->setAutoRaise(true);
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("keepMenu%1").arg(pane));
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillKeepMenu(menu); });
  keep_->setMenu(menu);
  connect(keep_, &QToolButton::clicked, keep_, &QToolButton::showMenu);  // by the keyboard
  colors_ = new QToolButton(this);
  colors_->setObjectName(QStringLiteral("colorPane%1").arg(pane));
  colors_->setText(tr("Colour"));
  colors_->setAccessibleName(tr("Pane %1 in colour").arg(pane + 1));
  colors_->setToolTip(tr("Show the photograph in its colours; what is filtered stays the channel chosen"));
  colors_->setAutoRaise(true);
  colors_->setCheckable(true);
  connect(colors_, &QToolButton::toggled, &session_, &Session::setColors);
  image_ = new ImagePane(session, pane, this);
  value_ = new QLabel(image_);
  value_->setObjectName(QStringLiteral("paneValue%1").arg(pane));
  value_->setAttribute(Qt::WA_TransparentForMouseEvents);
  value_->setStyleSheet(QStringLiteral("color: white; background: rgb(0, 0, 0); padding: 2px 6px"));
  value_->hide();

  first_ = new QHBoxLayout;
  second_ = new QHBoxLayout;
  for (QHBoxLayout* row : {first_, second_}) row->setSpacing(2);
  fillRows();
  auto* header = new QVBoxLayout;
  header->setContentsMargins(2, 2, 2, 2);
  header->setSpacing(2);
  header->addLayout(first_);
  header->addLayout(second_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(header);
  column->addWidget(image_, 1);

  connect(&session_, &Session::pictureChanged, this, &PaneFrame::readSession);
  connect(&session_, &Session::planesChanged, this, &PaneFrame::readSession);
  connect(&session_, &Session::panesChanged, this, &PaneFrame::readSession);
  connect(&session_, &Session::keptChanged, this, &PaneFrame::readSession);
  connect(&session_, &Session::resultsChanged, this, &PaneFrame::showSummary);
  connect(&session_, &Session::pixelChanged, this, &PaneFrame::showSummary);
  readSession();
}

void PaneFrame::fillRows() {
  for (QHBoxLayout* row : {first_, second_}) {
    while (QLayoutItem* item = row->takeAt(0)) delete item;
  }
  QHBoxLayout* const below = below_ ? second_ : first_;
  first_->addWidget(own_.layer, 2);
  below->addWidget(own_.plane, 1);
  first_->addWidget(keep_);
  below->addWidget(colors_);
  below->addWidget(text_, 1);
  below->addStretch(0);
  if (below_) second_->addStrut(own_.layer->sizeHint().height());  // panes stay in line
  if (other_.layer == nullptr) return;
  first_->addWidget(other_.layer, 2);
  below->addWidget(other_.plane);
}

int PaneFrame::shownPane(int side) const {
  const bool swiping = session_.state().mode == CanvasMode::Swipe && pane_ == 0;
  return swiping ? session_.comparedPanes()[static_cast<std::size_t>(side)] : pane_;
}

void PaneFrame::fillKeepMenu(QMenu* menu) {
  menu->clear();
  const int pane = shownPane(0);
  const PaneSpec& spec = session_.state().panes[static_cast<std::size_t>(pane)];
  const auto add = [&](const char* name, const QString& text, const QString& hint, auto run) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setToolTip(hint);
    connect(action, &QAction::triggered, this, run);
    return action;
  };
  const bool computed = spec.layer != Layer::Kept;
  const PlaneKey key = session_.keyOf(spec);
  const PlaneResult* held = session_.result(key);
  add("keepResult", tr("Keep this result as it is"),
      tr("It stands still, and any pane can show it beside what comes (Ctrl+K)"),
      [this, pane] { session_.keepResult(pane); })
      ->setEnabled(computed && held != nullptr && held->plane && session_.fresh(key));
  menu->addSeparator();
  const Branch& branch = spec.branch;
  QAction* recipe =
      add("keepRecipe", tr("Keep to this bank or recipe"),
          tr("This pane goes on with it, on whatever picture, when another is chosen in the panels"),
          [this, pane](bool on) { session_.keepRecipe(pane, on); });
  recipe->setCheckable(true);
  recipe->setChecked(branch.recipe.has_value());
  recipe->setEnabled(computed && (branch.recipe || session_.runSettings().complete()));
  QAction* picture = add("keepPicture", tr("Keep to this picture"),
                         tr("This pane stays with it, under whatever recipe, when another is opened"),
                         [this, pane](bool on) { session_.keepPicture(pane, on); });
  picture->setCheckable(true);
  picture->setChecked(!branch.imagePath.isEmpty());
  picture->setEnabled(computed && session_.picture());
  menu->addSeparator();
  add("editBranch", tr("Edit it in the panels"),
      tr("The panels take what this pane keeps to; the other panes keep to what they show now"),
      [this, pane] { session_.editBranch(pane); })
      ->setEnabled(computed && !branch.follows());
}

PaneFrame::Choices PaneFrame::makeChoices(int side, const QString& suffix) {
  const int pane = pane_ + side;
  // The end of a filter's name tells it from others.
  Choices choices{new ElidingBox(Qt::ElideRight, 1, 10, this), new ElidingBox(Qt::ElideLeft, 1, 9, this)};
  choices.layer->setObjectName(QStringLiteral("paneLayer") + suffix);
  choices.layer->setAccessibleName(tr("What pane %1 shows").arg(pane + 1));
  choices.layer->setToolTip(tr("What this pane shows"));
  for (const Layer layer : allLayers) {
    choices.layer->addItem(layerTitle(layer), QPoint(int(layer), 0));
    choices.layer->setItemData(choices.layer->count() - 1, shortLayerTitle(layer), ElidingBox::shortRole);
  }
  choices.plane->setObjectName(QStringLiteral("panePlane") + suffix);
  choices.plane->setAccessibleName(tr("Filter of pane %1").arg(pane + 1));
  choices.plane->setToolTip(
      tr("Which filter's response, or the combined one. The first entry follows the list of filters."));
  for (QComboBox* box : {choices.layer, choices.plane}) {
    connect(box, &QComboBox::activated, this,
            [this, choices, side] { writeChoices(choices, shownPane(side)); });
  }
  return choices;
}

void PaneFrame::readSession() {
  // Colour stands in the place of the choice of filters, which the input has only where every channel is
  // filtered by itself. Never both at once: showing one lays the window out.
  const auto& panes = session_.state().panes;
  const auto shown = static_cast<std::size_t>(shownPane(0));
  const bool colored = shown < panes.size() && panes[shown].layer == Layer::Input &&
                       panes[shown].branch.follows() && session_.picture() &&
                       isColored(*session_.picture()) && (session_.secondBank() || !session_.perGroup());
  if (!colored) colors_->hide();
  readChoices(own_, shownPane(0));
  if (other_.layer != nullptr) {
    const bool swiping = session_.state().mode == CanvasMode::Swipe;
    other_.layer->setVisible(swiping);
    other_.plane->setVisible(swiping);
    if (swiping) readChoices(other_, shownPane(1));
  }
  // The same size whichever choices are there, so that panes stay in line.
  QSizePolicy policy = own_.plane->sizePolicy();
  policy.setRetainSizeWhenHidden(!colored);
  own_.plane->setSizePolicy(policy);
  const QSignalBlocker quiet(colors_);
  colors_->setChecked(session_.state().colors);
  colors_->setVisible(colored);
  shareOut();
  showSummary();
}

void PaneFrame::readChoices(const Choices& choices, int pane) {
  const auto& panes = session_.state().panes;
  if (pane >= static_cast<int>(panes.size())) return;
  const PaneSpec& spec = panes[static_cast<std::size_t>(pane)];
  const QSignalBlocker quietLayer(choices.layer);
  const QSignalBlocker quietPlane(choices.plane);
  while (choices.layer->count() > static_cast<int>(std::size(allLayers)))
    choices.layer->removeItem(choices.layer->count() - 1);
  for (const KeptResult& kept : session_.kept().all()) {
    choices.layer->addItem(kept.title, QPoint(int(Layer::Kept), kept.number));
    choices.layer->setItemData(choices.layer->count() - 1, kept.whole, Qt::ToolTipRole);
    choices.layer->setItemData(choices.layer->count() - 1, tr("Kept %1").arg(kept.number),
                               ElidingBox::shortRole);
  }
  const QPoint shown(int(spec.layer), spec.layer == Layer::Kept ? spec.index : 0);
  choices.layer->setCurrentIndex(choices.layer->findData(shown));
  const bool own = spec.layer == Layer::Kept || !spec.branch.follows();
  choices.layer->setToolTip(own ? session_.titleOf(session_.keyOf(spec)) : tr("What this pane shows"));
  choices.layer->view()->setMinimumWidth(
      std::max(choices.layer->width(), choices.layer->view()->sizeHintForColumn(0) + 24));
  choices.plane->clear();
  const PlaneKey followed = session_.keyOf({Layer::Output, -1, spec.branch});
  const PlaneList& list = session_.list(followed.branch);
  choices.plane->addItem(tr("→ %1").arg(list.titleOf(followed.index)), -1);
  choices.plane->setItemData(0, list.titleOf(followed.index), ElidingBox::shortRole);
  for (int i = 0; i < list.size(); ++i) choices.plane->addItem(list.titleOf(i), i);
  choices.plane->setCurrentIndex(std::max(0, choices.plane->findData(spec.index)));
  const bool perPlane = list.perGroup && session_.recipeOf(followed.branch).stages.size() < 2;
  const bool several = spec.layer == Layer::Input ? perPlane : spec.layer != Layer::Kept;
  choices.plane->setVisible(several && list.size() > 0);
}

void PaneFrame::writeChoices(const Choices& choices, int pane) {
  const QPoint chosen = choices.layer->currentData().toPoint();
  const auto layer = static_cast<Layer>(chosen.x());
  const Branch& branch = session_.state().panes[static_cast<std::size_t>(pane)].branch;
  session_.setPane(pane, layer == Layer::Kept
                             ? PaneSpec{layer, chosen.y()}
                             : PaneSpec{layer, choices.plane->currentData().toInt(), branch});
}

void PaneFrame::showPixel(std::optional<QPoint> pixel) {
  hovered_ = pixel;
  showSummary();
}

void PaneFrame::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  shareOut();
  showSummary();
}

int PaneFrame::widestPlane() const {
  QString longest;
  for (const PaneSpec& pane : session_.state().panes) {
    const PlaneList& list = session_.list(session_.keyOf({Layer::Output, -1, pane.branch}).branch);
    const auto at = std::max_element(
        list.planes.begin(), list.planes.end(),
        [](const PlaneName& a, const PlaneName& b) { return a.label.size() < b.label.size(); });
    if (at == list.planes.end()) continue;
    const QString title = list.titleOf(static_cast<int>(at - list.planes.begin()));
    if (title.size() > longest.size()) longest = title;
  }
  return fontMetrics().horizontalAdvance(longest);
}

void PaneFrame::shareOut() {
  const QFontMetrics metrics = fontMetrics();
  const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text); };
  constexpr int aroundText = 32;  // of a choice
  constexpr int margins = 12;
  const int sides = other_.layer != nullptr && session_.state().mode == CanvasMode::Swipe ? 2 : 1;
  const int layer = widthOf(shortLayerTitle(Layer::Difference)) + aroundText;
  const int plane = widestPlane() + aroundText;
  const auto room = [&](const QString& keep) { return (width() - margins - widthOf(keep) - 10) / sides; };
  const QString keep = MenuButton::marked(tr("Keep"));
  const bool below = room(keep) < layer + plane;
  keep_->setText(below && room(keep) < layer ? MenuButton::mark() : keep);
  keep_->setFixedWidth(widthOf(keep_->text()) + 10);
  if (below != below_) {
    below_ = below;
    fillRows();
  }
  // What was kept has a longer name, which is read in the list.
  const int widest = widthOf(layerTitle(Layer::OpenCv)) + aroundText + 28;
  const int first = room(keep_->text());
  const int second = below ? (width() - margins) / sides : first;
  const int time = widthOf(QStringLiteral("000.0 ms")) / sides;
  const bool timed = second - time >= (below ? plane : layer + plane);
  text_->setMaximumWidth(timed ? QWIDGETSIZE_MAX : 0);
  const int rest = timed ? second - time : second;
  const int mostLayer = std::min(widest, below ? first : std::max(layer, rest - plane));
  // Of its own the layout would give the time as much as a name.
  const auto give = [](QComboBox* box, int least, int most) {
    constexpr int narrowestChoice = 40;
    most = std::max(narrowestChoice, most);
    box->setMinimumWidth(std::min(least, most));
    box->setMaximumWidth(most);
  };
  for (const Choices* each : {&own_, &other_}) {
    if (each->layer == nullptr) continue;
    give(each->layer, layer, mostLayer);
    give(each->plane, plane, below ? rest : rest - mostLayer);
  }
}

bool PaneFrame::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) showSummary();
  return QWidget::eventFilter(watched, event);
}

void PaneFrame::showSummary() {
  const auto& panes = session_.state().panes;
  if (pane_ >= static_cast<int>(panes.size())) return;
  const PlaneKey key = session_.keyOf(panes[static_cast<std::size_t>(shownPane(0))]);
  const PlaneResult* held = session_.result(key);
  keep_->setEnabled(session_.picture() && key.layer != Layer::Kept);
  if (held == nullptr || held->plane == nullptr) {
    text_->clear();
    text_->setToolTip({});
    showInCorner({});
    return;
  }
  const auto value = hovered_ ? session_.valueAt(key, hovered_->x(), hovered_->y()) : std::nullopt;
  const auto fits = [this](const QString& text) {
    return text_->fontMetrics().horizontalAdvance(text) <= text_->width() - 2;
  };
  QString text = value ? valueText(*value, held->plane->type()) : planeSummary(*held, true);
  if (!value && (key.layer == Layer::Difference || !fits(text))) text = shortestSummary(*held);
  text_->setText(fits(text) ? text : QString());
  text_->setToolTip(planeSummary(*held, false));
  showInCorner(value && !fits(text) ? text : QString());
}

void PaneFrame::showInCorner(const QString& value) {
  value_->setText(value);
  value_->setVisible(!value.isEmpty());
  value_->adjustSize();
  // Captions stand at the top, as high as three lines, and in the corners below.
  const int caption = fontMetrics().height() + 12;
  value_->move(image_->width() - value_->width() - 6, image_->height() - value_->height() - 6 - caption);
}

}  // namespace bankside::window
