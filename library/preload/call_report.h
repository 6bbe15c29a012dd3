/// What became of a program's calls, in a table at its end. Kept only where BANKSIDE_PRELOAD=report asks.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "library/preload/filter_call.h"

namespace bankside::preload {

class CallReport {
 public:
  /// Of a kind of call: pixels, shape and filter.
  struct Row {
    long calls = 0;
    std::string left;          ///< why OpenCV answers; "" where libbankside does
    double openCvSeconds = 0;  ///< of one call, both ways, one after the other
    double ourSeconds = 0;
  };

  /// Counts a call; true for the first of its kind that libbankside answers, which is to be timed both ways.
  bool count(const FilterCall& call, const char* left);
  void time(const FilterCall& call, double openCvSeconds, double ourSeconds);
  /// The table; "" before any call.
  std::string text();

 private:
  static std::string kindOf(const FilterCall& call);

  std::mutex mutex_;
  std::map<std::string, Row> rows_;
};

}  // namespace bankside::preload
