/// Planes that were computed, up to a number of bytes; the ones not looked at for longest go first.
#pragma once

#include <functional>
#include <list>
#include <map>

#include "gui/window/compute/work.h"

namespace bankside::window {

class PlaneStore {
 public:
  explicit PlaneStore(std::int64_t budget = std::int64_t{1} << 30) : budget_(budget) {}

  /// Null if the plane is not held. Counts as a look.
  const PlaneResult* find(const PlaneKey& key);
  void add(PlaneResult result);
  void clear();
  /// Of these alone.
  using Which = std::function<bool(const PlaneKey&)>;
  void clear(const Which& which);

  /// The settings have changed: what is held may still be shown until it is replaced, but is out of date.
  void outdate(const Which& which);
  bool fresh(const PlaneKey& key) const;
  std::int64_t bytes() const { return bytes_; }
  std::int64_t budget() const { return budget_; }
  /// Bytes of the budget that something else takes.
  void setTaken(std::int64_t bytes);

 private:
  struct Entry {
    PlaneResult result;
    bool fresh = true;
    std::list<PlaneKey>::iterator use;
  };
  void shrink();
  void remove(std::map<PlaneKey, Entry>::iterator at);

  std::int64_t budget_;
  std::int64_t taken_ = 0;
  std::int64_t bytes_ = 0;
  std::map<PlaneKey, Entry> entries_;
  std::list<PlaneKey> uses_;  // latest first
};

}  // namespace bankside::window
