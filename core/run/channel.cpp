#include "core/run/channel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/refuse.h"
#include "core/text.h"

namespace bankside {
namespace {

class PickedSource final : public Source {
 public:
  PickedSource(Source& base, std::vector<int> channels) : base_(base), channels_(std::move(channels)) {}
  ElementType type() const override { return base_.type(); }
  int channels() const override { return static_cast<int>(channels_.size()); }
  int height() const override { return base_.height(); }
  int width() const override { return base_.width(); }
  std::optional<ConstPlane> resident(int channel) const override {
    return base_.resident(baseChannel(channel));
  }
  void readRows(int channel, int firstRow, MutablePlane dst) override {
    base_.readRows(baseChannel(channel), firstRow, dst);
  }

 private:
  int baseChannel(int channel) const { return channels_[static_cast<std::size_t>(channel)]; }
  Source& base_;
  std::vector<int> channels_;
};

/// Rows from `firstRow` on of a plane that is made of channels of another source.
using Mix = void (*)(Source& base, const std::vector<int>& channels, int firstRow, MutablePlane dst);

void mixLuma(Source& base, const std::vector<int>& channels, int firstRow, MutablePlane dst) {
  Image row(3, 1, base.width(), base.type());
  for (int y = 0; y < dst.height; ++y) {
    for (int c = 0; c < 3; ++c)
      base.readRows(channels[static_cast<std::size_t>(c)], firstRow + y, row.plane(c));
    visit(base.type(), [&](auto element) {
      using T = decltype(element);
      const T* r = row.view<T>(0).row(0);
      const T* g = row.view<T>(1).row(0);
      const T* b = row.view<T>(2).row(0);
      T* out = dst.as<T>().row(y);
      for (int x = 0; x < dst.width; ++x) {
        out[x] = fromFloat<T>(0.299f * asFloat(r[x]) + 0.587f * asFloat(g[x]) + 0.114f * asFloat(b[x]));
      }
    });
  }
}

/// The largest value of the channels at every pixel.
void takeLargest(Source& base, const std::vector<int>& channels, int firstRow, MutablePlane dst) {
  base.readRows(channels.front(), firstRow, dst);
  Image next(1, dst.height, dst.width, base.type());
  for (std::size_t c = 1; c < channels.size(); ++c) {
    base.readRows(channels[c], firstRow, next.plane(0));
    visit(base.type(), [&](auto element) {
      using T = decltype(element);
      for (int y = 0; y < dst.height; ++y) {
        const T* from = next.view<T>(0).row(y);
        T* into = dst.as<T>().row(y);
        for (int x = 0; x < dst.width; ++x) {
          const float value = asFloat(from[x]);
          if (value > asFloat(into[x]) || std::isnan(value)) into[x] = from[x];
        }
      }
    });
  }
}

class MixedSource final : public Source {
 public:
  MixedSource(Source& base, std::vector<int> channels, Mix mix)
      : base_(base), channels_(std::move(channels)), mix_(mix) {
    // Once where the channels already lie in memory: plans run many times.
    for (const int c : channels_) {
      if (!base.resident(c)) return;
    }
    whole_ = Image(1, base.height(), base.width(), base.type());
    mix_(base_, channels_, 0, whole_.plane(0));
  }
  ElementType type() const override { return base_.type(); }
  int channels() const override { return 1; }
  int height() const override { return base_.height(); }
  int width() const override { return base_.width(); }
  std::optional<ConstPlane> resident(int) const override {
    if (whole_.empty()) return std::nullopt;
    return whole_.plane(0);
  }
  void readRows(int, int firstRow, MutablePlane dst) override {
    if (whole_.empty()) return mix_(base_, channels_, firstRow, dst);
    ImageSource(whole_).readRows(0, firstRow, dst);
  }

 private:
  Source& base_;
  std::vector<int> channels_;
  Mix mix_;
  Image whole_;
};

std::vector<int> allChannels(const Source& source) {
  std::vector<int> all(static_cast<std::size_t>(source.channels()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

int indexOf(const std::vector<std::string>& names, const std::string& name) {
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? -1 : static_cast<int>(at - names.begin());
}

ChannelSelection pick(Source& source, const std::vector<std::string>& names, std::vector<int> channels) {
  ChannelSelection selection;
  for (int c = 0; c < static_cast<int>(names.size()); ++c) {
    const bool kept = std::find(channels.begin(), channels.end(), c) != channels.end();
    (kept ? selection.names : selection.dropped).push_back(names[static_cast<std::size_t>(c)]);
  }
  if (!selection.dropped.empty()) {
    selection.note = joinWords(selection.names) + " taken, " + joinWords(selection.dropped) + " left out";
  }
  selection.source = std::make_unique<PickedSource>(source, std::move(channels));
  return selection;
}

}  // namespace

bool isOfPages(ChannelChoice choice) {
  return choice == ChannelChoice::Pages || choice == ChannelChoice::PagesMax;
}

const char* toString(ChannelChoice choice) {
  switch (choice) {
    case ChannelChoice::Auto: return "auto";
    case ChannelChoice::Luma: return "luma";
    case ChannelChoice::Red: return "red";
    case ChannelChoice::Green: return "green";
    case ChannelChoice::Blue: return "blue";
    case ChannelChoice::All: return "all";
    case ChannelChoice::Pages: return "pages";
    case ChannelChoice::PagesMax: return "pages-max";
  }
  return "?";
}

std::optional<ChannelChoice> parseChannelChoice(std::string_view text) {
  for (const ChannelChoice choice :
       {ChannelChoice::Auto, ChannelChoice::Luma, ChannelChoice::Red, ChannelChoice::Green,
        ChannelChoice::Blue, ChannelChoice::All, ChannelChoice::Pages, ChannelChoice::PagesMax}) {
    if (text == toString(choice)) return choice;
  }
  return std::nullopt;
}

ChannelSelection selectChannels(Source& source, const std::vector<std::string>& givenNames,
                                ChannelChoice choice, int bankChannels) {
  std::vector<std::string> names = givenNames;
  for (int c = static_cast<int>(names.size()); c < source.channels(); ++c)
    names.push_back("channel" + std::to_string(c));
  const std::array<int, 3> colours = {indexOf(names, "red"), indexOf(names, "green"), indexOf(names, "blue")};
  const bool coloured = std::all_of(colours.begin(), colours.end(), [](int c) { return c >= 0; });
  std::vector<int> opaque;
  for (int c = 0; c < source.channels(); ++c) {
    if (names[static_cast<std::size_t>(c)] != "alpha") opaque.push_back(c);
  }

  if (choice == ChannelChoice::Auto && (bankChannels > 1 || opaque.size() == 1)) {
    auto selection = pick(source, names, opaque);
    if (bankChannels > 1 && static_cast<int>(opaque.size()) != bankChannels) {
      refuse("the bank sums over " + std::to_string(bankChannels) + " channels and the image has " +
             std::to_string(opaque.size()) + " (" + joinWords(selection.names) + ")");
    }
    return selection;
  }
  if (isOfPages(choice) && names.front() != "page1")
    refuse("one page was opened where all pages are asked for");
  ChannelSelection selection;
  switch (choice) {
    case ChannelChoice::PagesMax:
      selection.source = std::make_unique<MixedSource>(source, allChannels(source), takeLargest);
      selection.names = {toString(choice)};
      selection.note = "the largest value of " + std::to_string(source.channels()) + " pages at every pixel";
      break;
    case ChannelChoice::Pages:
    case ChannelChoice::All: selection = pick(source, names, allChannels(source)); break;
    case ChannelChoice::Red:
    case ChannelChoice::Green:
    case ChannelChoice::Blue: {
      const int c = indexOf(names, toString(choice));
      if (c < 0)
        refuse(std::string("the image has no ") + toString(choice) + " channel; it has " + joinWords(names) +
               (opaque.size() == 1 ? ", which is taken as it is where no channel is chosen (--channel auto)"
                                   : ""));
      selection = pick(source, names, {c});
      break;
    }
    case ChannelChoice::Auto:
    case ChannelChoice::Luma:
      if (!coloured) {
        if (choice == ChannelChoice::Luma && opaque.size() == 1) return pick(source, names, opaque);
        refuse("the image has the channels " + joinWords(names) +
               ", of which no luma can be made; choose all of them");
      }
      selection.source =
          std::make_unique<MixedSource>(source, std::vector<int>(colours.begin(), colours.end()), mixLuma);
      selection.names = {"luma"};
      for (int c = 0; c < source.channels(); ++c) {
        if (std::find(colours.begin(), colours.end(), c) == colours.end()) {
          selection.dropped.push_back(names[static_cast<std::size_t>(c)]);
        }
      }
      selection.note = "colour mixed to luma (0.299 R + 0.587 G + 0.114 B)";
      if (!selection.dropped.empty()) selection.note += ", " + joinWords(selection.dropped) + " left out";
      break;
  }
  if (bankChannels > 1 && selection.source->channels() != bankChannels) {
    refuse("the bank sums over " + std::to_string(bankChannels) + " channels and the choice \"" +
           toString(choice) + "\" gives " + std::to_string(selection.source->channels()));
  }
  return selection;
}

}  // namespace bankside
