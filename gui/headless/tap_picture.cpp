#include "gui/headless/tap_picture.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "core/printable.h"

namespace bankside::headless {
namespace {

constexpr int mostColumns = 33;
constexpr int gap = 2;

/// One plane of taps, made smaller where it is too wide: -1 to 1, of the filter's largest.
struct Raster {
  int height = 0;
  int width = 0;
  std::vector<float> values;
  float at(int y, int x) const {
    return y < height ? values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                               static_cast<std::size_t>(x)]
                      : 0.0f;
  }
};

Raster rasterOf(const Filter& f, int channel, int columns) {
  float largest = 0;
  for (const float tap : f.taps) largest = std::max(largest, std::fabs(tap));
  const int step = (f.width + columns - 1) / columns;
  Raster raster{(f.height + step - 1) / step, (f.width + step - 1) / step, {}};
  for (int y = 0; y < raster.height; ++y) {
    for (int x = 0; x < raster.width; ++x) {
      float most = 0;
      for (int j = y * step; j < std::min(f.height, (y + 1) * step); ++j) {
        for (int i = x * step; i < std::min(f.width, (x + 1) * step); ++i) {
          if (std::fabs(f.tap(channel, j, i)) > std::fabs(most)) most = f.tap(channel, j, i);
        }
      }
      raster.values.push_back(largest > 0 ? most / largest : 0.0f);
    }
  }
  return raster;
}

/// Of the 6 x 6 x 6 colours: black to red to yellow, black to blue to cyan.
int colourOf(float value) {
  constexpr int steps = 5;
  const int size = static_cast<int>(std::lround(std::sqrt(std::fabs(value)) * 2 * steps));
  const int first = std::min(size, steps);
  const int second = std::max(size - steps, 0);
  return value > 0 ? 16 + 36 * first + 6 * second : 16 + first + 6 * second;
}

std::string_view plainCell(float upper, float lower) {
  constexpr float least = 0.1f;
  const auto sign = [](float v) { return v > least ? 1 : v < -least ? -1 : 0; };
  const int u = sign(upper);
  const int l = sign(lower);
  if (u > 0) return l > 0 ? "\u2588" : "\u2580";
  if (l > 0) return "\u2584";
  return u < 0 || l < 0 ? "\u2591" : " ";
}

std::string lineOf(const Raster& raster, int y, bool colour) {
  std::string line;
  for (int x = 0; x < raster.width; ++x) {
    const float upper = raster.at(y, x);
    const float lower = raster.at(y + 1, x);
    if (!colour) {
      line += plainCell(upper, lower);
      continue;
    }
    line += "\x1b[38;5;" + std::to_string(colourOf(upper)) + ";48;5;" + std::to_string(colourOf(lower)) +
            "m\u2580";
  }
  return colour ? line + "\x1b[0m" : line;
}

/// A picture with its label above.
struct Block {
  std::string label;
  Raster raster;
  int width() const { return std::max(raster.width, static_cast<int>(label.size())); }
};

std::string padded(std::string text, int used, int width) {
  return text.append(static_cast<std::size_t>(width - used), ' ');
}

std::string withoutEnd(std::string line) { return line.erase(line.find_last_not_of(' ') + 1); }

/// Blocks [first, last) side by side.
std::string rowOf(const std::vector<Block>& blocks, std::size_t first, std::size_t last, bool colour) {
  std::string labels;
  int height = 0;
  for (std::size_t b = first; b < last; ++b) {
    const Block& block = blocks[b];
    labels += padded(block.label, static_cast<int>(block.label.size()), block.width() + gap);
    height = std::max(height, block.raster.height);
  }
  std::string text = withoutEnd(labels) + "\n";
  for (int y = 0; y < height; y += 2) {
    std::string line;
    for (std::size_t b = first; b < last; ++b) {
      const Block& block = blocks[b];
      const bool drawn = y < block.raster.height;
      line += padded(drawn ? lineOf(block.raster, y, colour) : "", drawn ? block.raster.width : 0,
                     block.width() + gap);
    }
    text += withoutEnd(line) + "\n";
  }
  return text;
}

}  // namespace

Terminal standardTerminal() {
  Terminal terminal;
  if (isatty(STDOUT_FILENO) == 0) return terminal;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.columns = size.ws_col;
  const char* kind = std::getenv("TERM");
  terminal.colour = std::getenv("NO_COLOR") == nullptr && kind != nullptr && std::string_view(kind) != "dumb";
  return terminal;
}

std::string picturesOf(const std::vector<Filter>& filters, const Terminal& terminal) {
  std::vector<Block> blocks;
  for (const Filter& f : filters) {
    for (int c = 0; c < f.channels; ++c) {
      const std::string channel = f.channels > 1 ? " /" + std::to_string(c) : "";
      blocks.push_back({printable(f.label) + channel, rasterOf(f, c, mostColumns)});
    }
  }
  std::string text;
  for (std::size_t first = 0; first < blocks.size();) {
    std::size_t last = first + 1;
    int used = blocks[first].width();
    while (last < blocks.size() && used + gap + blocks[last].width() <= terminal.columns)
      used += gap + blocks[last++].width();
    text += "\n" + rowOf(blocks, first, last, terminal.colour);
    first = last;
  }
  return text;
}

std::string pictureKey(const Terminal& terminal) {
  return terminal.colour ? "positive taps red to yellow, negative ones blue to cyan"
                         : "\u2588 positive taps, \u2591 negative ones, blank below a tenth of the largest";
}

}  // namespace bankside::headless
