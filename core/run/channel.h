/// Which planes of an image a bank sees. A view over a source: rows are picked or mixed as they are read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine.h"

namespace bankside {

/// Auto: a grey image as it is, a colour image as luma (or all its colours, where the bank has as many
/// channels). Pages: the pages of a file are the channels of one image. PagesMax: their largest value at
/// every pixel, in the file's type; NaN where a page has one.
enum class ChannelChoice { Auto, Luma, Red, Green, Blue, All, Pages, PagesMax };

/// Whether a choice is of all pages, which the front end then opens as core/imageio/page_stack does.
bool isOfPages(ChannelChoice choice);

const char* toString(ChannelChoice choice);
std::optional<ChannelChoice> parseChannelChoice(std::string_view text);

struct ChannelSelection {
  std::unique_ptr<Source> source;    ///< reads through the one it was made from, which must outlive it
  std::vector<std::string> names;    ///< of the channels that remain
  std::vector<std::string> dropped;  ///< channels whose values reach no output
  std::string note;                  ///< one clause for log and report; empty if the image is taken as it is
};

/// Luma is 0.299 R + 0.587 G + 0.114 B (ITU-R BT.601, as OpenCV's), rounded to the source's type.
/// Throws Error{BadInput} if the image has no such channel, or not as many as the bank sums over.
ChannelSelection selectChannels(Source& source, const std::vector<std::string>& names, ChannelChoice choice,
                                int bankChannels);

}  // namespace bankside
