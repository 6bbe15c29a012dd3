#include "gui/window/models/inspector_model.h"

#include <algorithm>

#include "core/table.h"
#include "gui/window/compute/core_sentence.h"
#include "gui/window/compute/value_text.h"

namespace bankside::window {

InspectorModel::InspectorModel(Session& session, QObject* parent)
    : FlatTableModel(ColumnCount, parent), session_(session) {
  for (const auto signal : {&Session::pixelChanged, &Session::resultsChanged, &Session::panesChanged}) {
    connect(&session_, signal, this, &InspectorModel::read);
  }
  read();
}

QVariant InspectorModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == Value && !row.shortValue.isEmpty()) return row.shortValue;
      return index.column() == What ? row.shortTitle : row.cells[index.column()];
    case Qt::ToolTipRole:
      if (index.column() == Value && !row.shortValue.isEmpty()) return row.cells[Value];
      return index.column() == What && row.hint.isEmpty() ? row.cells[What] : row.hint;
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(
          Qt::Alignment((index.column() == Value ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    default: return {};
  }
}

QVariant InspectorModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case What: return tr("What");
    case FilterName: return tr("Filter");
    case Value: return tr("Value");
    default: return {};
  }
}

QString InspectorModel::asText() const {
  Table table({tr("What").toStdString(), tr("Filter").toStdString(), tr("Value").toStdString()});
  for (const Row& row : rows_)
    table.add(
        {row.cells[What].toStdString(), row.cells[FilterName].toStdString(), row.cells[Value].toStdString()});
  return QString::fromStdString(table.csv('\t'));
}

void InspectorModel::read() {
  std::vector<Row> rows;
  const auto& pixel = session_.state().pixel;
  const auto& picture = session_.picture();
  if (pixel && picture && pixel->x() < picture->info.width && pixel->y() < picture->info.height) {
    // The file's own values first, every channel of them.
    const int inMemory = picture->image ? picture->image->channels() : 0;
    for (int c = 0; c < inMemory; ++c) {
      const Image& image = *picture->image;
      const float value = visit(image.type(), [&](auto element) {
        return asFloat(image.view<decltype(element)>(c).at(pixel->x(), pixel->y()));
      });
      const auto& names = picture->info.channelNames;
      const auto index = static_cast<std::size_t>(c);
      rows.push_back(
          {tr("File"),
           {tr("File"), index < names.size() ? QString::fromStdString(names[index]) : QString::number(c),
            valueText(value, image.type())},
           tr("The value in the file, as it is")});
    }
    std::vector<PlaneKey> seen;
    for (const PaneSpec& pane : session_.state().panes) {
      const PlaneKey key = session_.keyOf(pane);
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
      seen.push_back(key);
      const PlaneResult* held = session_.result(key);
      if (held == nullptr) continue;
      const auto there = session_.valueAt(key, pixel->x(), pixel->y());
      const QString value = there && held->plane ? valueText(*there, held->plane->type()) : tr("none");
      rows.push_back({session_.shortTitleOf(key),
                      {session_.titleOf(key), session_.planeTitle(key), value},
                      sentenceOf(held->error)});
      if (key.layer == Layer::Difference && there && held->plane) {
        constexpr int digits = 5;
        rows.back().shortValue = shortValueText(*there, digits);
      }
    }
  }
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

}  // namespace bankside::window
