/// The responses that `bankside evaluate` looks at: made by a recipe, or ready-made ones from files.
#pragma once

#include <exception>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/run/runner.h"
#include "gui/headless/filter_options.h"
#include "gui/headless/inputs.h"
#include "gui/headless/run_files.h"

namespace bankside::headless {

/// More than the one map an image that is evaluated.
class SeveralMaps : public Error {
 public:
  /// `ofMaps`: a recipe of steps gives them.
  SeveralMaps(std::size_t maps, bool ofMaps);
  std::size_t maps() const { return maps_; }

 private:
  std::size_t maps_;
};

struct ResponseMap {
  std::size_t input = 0;
  Image map;  ///< f32 [1,H,W]
  std::vector<std::string> notes;
  std::exception_ptr error;               ///< what kept it from being made
  std::vector<std::string> remarks = {};  ///< on what it is worth (BankRun)
  double pixelsPerDegree = 0;             ///< that its recipe was told; 0: none
};

/// In the order of the inputs.
using ReceiveMap = std::function<void(ResponseMap&&)>;

/// Runs over every input, as `bankside filter` does. What goes wrong with an image is its `error`.
/// Errors  Cancelled; what ended the whole run
void filterMaps(const FilterCommand& command, const std::vector<InputFile>& inputs, Runner& runner,
                const ReceiveMap& receive, const std::stop_token& stop);

/// The files themselves, any type of pixel. Errors  Cancelled
void readMaps(const FilterCommand& command, const std::vector<InputFile>& inputs, const ReceiveMap& receive,
              const std::stop_token& stop);

/// Looks at the headers before any work is done: files of several pages are refused (their `error`).
/// The pixels of the others.
std::int64_t pixelsOf(const FilterCommand& command, std::vector<InputFile>& inputs);

/// Errors  SeveralMaps of the first image that can be opened
void requireOneMap(const FilterCommand& command, const std::vector<InputFile>& inputs, const Runner& runner);

}  // namespace bankside::headless
