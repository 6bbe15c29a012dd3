/// Gives bands of results away while the next ones are computed.
#pragma once

#include <functional>
#include <future>
#include <vector>

#include "core/image.h"

namespace bankside {

class BandGiver {
 public:
  using Receive = std::function<void(int firstRow, const std::vector<Image>& planes)>;

  /// `behind`: on a thread of its own, if one can be had. Both must outlive it.
  BandGiver(const Receive& receive, bool behind) : receive_(receive), behind_(behind) {}
  ~BandGiver();
  BandGiver(const BandGiver&) = delete;
  BandGiver& operator=(const BandGiver&) = delete;

  /// The planes but for the first `hidden`. They are not to be changed before `planes` is asked for again:
  /// what is left in it is the memory of the band before. Throws what giving that one threw
  void give(int firstRow, std::vector<Image>& planes, std::size_t hidden);

  /// After the last band. Throws what giving threw
  void finish();

 private:
  void giveHeld(int firstRow, std::size_t hidden);

  const Receive& receive_;
  bool behind_;
  std::vector<Image> held_;
  std::future<void> giving_;
};

}  // namespace bankside
