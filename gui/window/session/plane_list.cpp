#include "gui/window/session/plane_list.h"

#include <algorithm>

#include "core/error.h"
#include "gui/window/compute/core_sentence.h"

namespace bankside::window {

QString PlaneList::titleOf(int plane) const {
  if (plane < 0 || plane >= size()) return {};
  const PlaneName& name = planes[static_cast<std::size_t>(plane)];
  QString title = QString::fromStdString(name.label);
  if (perGroup && name.channel < static_cast<int>(groups.size())) {
    title = QString::fromStdString(groups[static_cast<std::size_t>(name.channel)]) + " · " + title;
  }
  return title;
}

int PlaneList::find(const PlaneList& other, int plane, int otherwise) const {
  if (plane < 0 || plane >= other.size()) return otherwise;
  const PlaneName& name = other.planes[static_cast<std::size_t>(plane)];
  auto at = std::find(planes.begin(), planes.end(), name);
  if (at == planes.end()) {
    at = std::find_if(planes.begin(), planes.end(),
                      [&](const PlaneName& each) { return each.label == name.label; });
  }
  return at == planes.end() ? otherwise : static_cast<int>(at - planes.begin());
}

PlaneList listPlanes(const RunSettings& settings) {
  PlaneList list;
  if (settings.picture) {
    try {
      const auto whole = settings.picture->shape();
      const ChannelSelection selection = selectChannels(*whole, settings.picture->info.channelNames,
                                                        settings.recipe.channel, imageChannels(settings));
      list.channels = selection.names;
      list.note = sentenceOf(selection.note);
    } catch (const Error& error) {
      list.error = sentenceOf(error);
    }
  }
  list.groups = list.channels;
  if (!settings.complete()) return list;
  try {
    const std::vector<std::string> names =
        list.channels.empty() ? std::vector<std::string>(static_cast<std::size_t>(imageChannels(settings)))
                              : list.channels;
    ResultPlanes result = resultPlanes(settings, names);
    list.planes = std::move(result.planes);
    list.responses = result.responses;
    if (!list.channels.empty()) list.groups = std::move(result.groups);
  } catch (const Error& error) {
    if (list.error.isEmpty()) list.error = sentenceOf(error);  // what is filtered comes first
  }
  const auto& last = settings.then ? settings.then : settings.bank;
  list.perGroup = last && list.responses > last->size();
  return list;
}

}  // namespace bankside::window
