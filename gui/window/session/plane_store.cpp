#include "gui/window/session/plane_store.h"

namespace bankside::window {
namespace {
/// What makes parts is shared by the maps of a run.
std::int64_t bytesOf(const PlaneResult& result) {
  const std::int64_t parts =
      result.parts ? result.parts->bytes() / static_cast<std::int64_t>(result.parts->size()) : 0;
  return (result.plane ? result.plane->bytes() : 0) + parts;
}
}  // namespace

const PlaneResult* PlaneStore::find(const PlaneKey& key) {
  const auto at = entries_.find(key);
  if (at == entries_.end()) return nullptr;
  uses_.splice(uses_.begin(), uses_, at->second.use);
  return &at->second.result;
}

void PlaneStore::add(PlaneResult result) {
  if (const auto old = entries_.find(result.key); old != entries_.end()) remove(old);
  const PlaneKey key = result.key;
  bytes_ += bytesOf(result);
  uses_.push_front(key);
  entries_[key] = {std::move(result), true, uses_.begin()};
  shrink();
}

void PlaneStore::setTaken(std::int64_t bytes) {
  taken_ = bytes;
  shrink();
}

void PlaneStore::shrink() {
  // Four panes show at most four planes, and a difference needs the two that it is made of.
  constexpr std::size_t alwaysKept = 6;
  while (bytes_ + taken_ > budget_ && entries_.size() > alwaysKept) remove(entries_.find(uses_.back()));
}

void PlaneStore::clear() {
  entries_.clear();
  uses_.clear();
  bytes_ = 0;
}

void PlaneStore::clear(const Which& which) {
  for (auto at = entries_.begin(); at != entries_.end();) {
    const auto next = std::next(at);
    if (which(at->first)) remove(at);
    at = next;
  }
}

void PlaneStore::outdate(const Which& which) {
  for (auto& [key, entry] : entries_) {
    if (which(key)) entry.fresh = false;
  }
}

bool PlaneStore::fresh(const PlaneKey& key) const {
  const auto at = entries_.find(key);
  return at != entries_.end() && at->second.fresh;
}

void PlaneStore::remove(std::map<PlaneKey, Entry>::iterator at) {
  bytes_ -= bytesOf(at->second.result);
  uses_.erase(at->second.use);
  entries_.erase(at);
}

}  // namespace bankside::window
