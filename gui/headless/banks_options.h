/// What `bankside banks` is asked for, and the options that say it.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/border.h"
#include "core/filter_bank.h"
#include "core/run/channel.h"

namespace CLI {
class App;
}

namespace bankside::headless {

struct BanksCommand {
  enum class Action { List, Show, Export, Formats, Analyze, Detect };
  Action action = Action::List;
  std::string bank;
  std::string file;
  bool taps = false;          ///< show: numbers in place of pictures
  std::string format;         ///< export: instead of the one of the file's ending; empty: that
  std::string filter;         ///< export, detect: the label of the only filter that is wanted; empty: all
  std::string image;          ///< analyze: where the pixel is; detect: what the other program filtered
  std::pair<int, int> pixel;  ///< x, y
  std::string result;         ///< detect: what it gave
  Border border;              ///< analyze: what lies outside the image
  std::optional<FilterMode> mode;               ///< analyze: how filters are slid; none: as the bank says
  ChannelChoice channel = ChannelChoice::Auto;  ///< of image and result
  std::string json;
  bool force = false;
};

void addBanks(CLI::App& root, BanksCommand& command);

}  // namespace bankside::headless
