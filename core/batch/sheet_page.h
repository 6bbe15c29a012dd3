/// The page of a contact sheet.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace bankside {

/// Why an image deserves a look, the worst first. Failed: no result. Untried: no attempt. Missing: a result
/// cannot be read. Empty: one value throughout, up to rounding. NotFinite, Clipped: values of results.
/// Saturated: much of the input is as bright as its type allows. Unlike: its mean response is far from that
/// of the others.
enum class Oddity { Failed, Untried, Missing, Empty, NotFinite, Clipped, Saturated, Unlike, None };

inline constexpr std::size_t oddityCount = static_cast<std::size_t>(Oddity::None) + 1;

struct SheetPage {
  struct Picture {
    std::string png;  ///< empty: there is none, and `note` may say why
    int width = 0;
    int height = 0;
    std::string note;
  };
  struct Card {
    std::string id;
    Oddity oddity = Oddity::None;
    std::string reason;  ///< of a failure
    Picture input;
    Picture response;
  };
  std::string title;
  std::vector<Card> cards;
  std::array<std::size_t, oddityCount> counts = {};  ///< images of each Oddity
  std::size_t images = 0;
};

/// What the page begins with, as no other does.
inline constexpr const char* sheetBeginning =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"generator\" content=\"bankside batch\">";

/// Everything in one file; texts of strangers are only ever text.
std::string toHtml(const SheetPage& page);

}  // namespace bankside
