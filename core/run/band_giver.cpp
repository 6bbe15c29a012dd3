#include "core/run/band_giver.h"

#include <exception>
#include <iterator>
#include <utility>

namespace bankside {

BandGiver::~BandGiver() {
  if (giving_.valid()) giving_.wait();
}

void BandGiver::give(int firstRow, std::vector<Image>& planes, std::size_t hidden) {
  finish();
  std::swap(held_, planes);
  if (behind_) {
    try {
      giving_ = std::async(std::launch::async, [=, this] { giveHeld(firstRow, hidden); });
      return;
    } catch (const std::exception&) {
      behind_ = false;  // no thread can be had
    }
  }
  giveHeld(firstRow, hidden);
  std::swap(held_, planes);
}

void BandGiver::finish() {
  if (giving_.valid()) giving_.get();
}

void BandGiver::giveHeld(int firstRow, std::size_t hidden) {
  if (hidden == 0) return receive_(firstRow, held_);
  const auto from = held_.begin() + static_cast<std::ptrdiff_t>(hidden);
  const std::vector<Image>::iterator end = held_.end();
  std::vector<Image> given(std::make_move_iterator(from), std::make_move_iterator(end));
  receive_(firstRow, given);
  std::move(given.begin(), given.end(), from);
}

}  // namespace bankside
