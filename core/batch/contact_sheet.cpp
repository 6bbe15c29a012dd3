#include "core/batch/contact_sheet.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/batch/sheet_page.h"
#include "core/engine.h"
#include "core/error.h"
#include "core/imageio/image_io.h"
#include "core/imageio/png_bytes.h"
#include "core/parallel.h"
#include "core/stopping.h"
#include "core/thumbnail.h"

namespace bankside {
namespace {

namespace fs = std::filesystem;

constexpr int side = 160;
/// Larger ones are said to be too large.
constexpr ImageLimits limits{.maxPixels = 100'000'000};
constexpr double muchSaturated = 0.05;  ///< of the input's pixels
constexpr double muchClipped = 0.01;    ///< of the results' values
constexpr float roundingOf = 1e-5f;     ///< times the input's largest value: less is no response
constexpr double farDeviations = 6;     ///< of the others' median absolute deviation
constexpr std::size_t fewest = 8;       ///< that a median says something of
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Seen {
  std::int64_t number = 0;
  Oddity oddity = Oddity::None;
  double mean = unknown;  ///< of the response
  double far = 0;         ///< from the other means, in deviations
};

struct Statistics {
  double mean = unknown;
  float low = INFINITY;
  float high = -INFINITY;
  std::int64_t pixels = 0;
  std::int64_t top = 0;  ///< as bright as the type allows
};

template <class T>
void add(Statistics& all, const PlaneView<const T>& plane, float brightest) {
  double sum = 0;
  std::int64_t finite = 0;
  for (int y = 0; y < plane.height; ++y) {
    const T* row = plane.row(y);
    for (int x = 0; x < plane.width; ++x) {
      const float value = asFloat(row[x]);
      if (!std::isfinite(value)) continue;
      ++finite;
      sum += static_cast<double>(value);
      all.low = std::min(all.low, value);
      all.high = std::max(all.high, value);
      all.top += value == brightest ? 1 : 0;
    }
  }
  all.mean = finite > 0 ? sum / static_cast<double>(finite) : unknown;
  all.pixels += static_cast<std::int64_t>(plane.height) * plane.width;
}

Statistics statisticsOf(const Image& image) {
  Statistics all;
  const float brightest = image.type() == ElementType::U8    ? 255.0f
                          : image.type() == ElementType::U16 ? 65535.0f
                                                             : INFINITY;
  for (int c = 0; c < image.channels(); ++c) {
    visit(image.type(), [&](auto element) { add(all, image.view<decltype(element)>(c), brightest); });
  }
  return all;
}

/// Four digits.
std::string roundText(float value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, 4).ptr};
}

/// The last result of the first page: of responses and their combined map the latter.
const BatchOutput* shownOutput(const JournalEntry& entry) {
  const auto pages = static_cast<std::size_t>(std::max(1, entry.pages));
  const std::size_t each = entry.outputs.size() / pages;
  return each > 0 ? &entry.outputs[each - 1] : nullptr;
}

class Sheet {
 public:
  Sheet(const Manifest& manifest, const Ledger& ledger, const fs::path& input, const fs::path& output,
        const std::stop_token& stop)
      : manifest_(manifest), ledger_(ledger), input_(input), output_(output), stop_(stop) {}

  std::string make(std::size_t most) {
    manifest_.forEach([&](std::int64_t number, const ManifestEntry& entry) {
      ids_.push_back(entry.id);
      seen_.push_back({.number = number});
      return true;
    });
    each(seen_.size(), [&](std::size_t i) { look(seen_[i]); });
    compareMeans();
    std::stable_sort(seen_.begin(), seen_.end(), [](const Seen& a, const Seen& b) {
      return a.oddity != b.oddity ? a.oddity < b.oddity : a.far > b.far;
    });
    SheetPage page{.title = fs::path(manifest_.head().input).filename().string(), .cards = {}, .counts = {}};
    for (const Seen& seen : seen_) ++page.counts[static_cast<std::size_t>(seen.oddity)];
    page.images = seen_.size();
    page.cards.resize(std::min(most, seen_.size()));
    each(page.cards.size(), [&](std::size_t i) { page.cards[i] = draw(seen_[i]); });
    return toHtml(page);
  }

 private:
  void each(std::size_t count, const std::function<void(std::size_t)>& body) const {
    ThreadTeam(0).forRanges(0, static_cast<int>(count), 1, [&](int first, int last) {
      const SingleThreaded single;
      for (int i = first; i < last; ++i) {
        if (stop_.stop_requested()) throw Cancelled();
        throwIfProgramStops();
        body(static_cast<std::size_t>(i));
      }
    });
  }

  const std::string& idOf(const Seen& seen) const { return ids_[static_cast<std::size_t>(seen.number)]; }

  void look(Seen& seen) const {
    seen.oddity = Oddity::Untried;
    if (ledger_.attempts(seen.number) == 0) return;
    seen.oddity = Oddity::Failed;
    if (!ledger_.done(seen.number)) return;
    seen.oddity = Oddity::Missing;
    try {
      const JournalEntry entry = ledger_.read(seen.number);
      const BatchOutput* output = shownOutput(entry);
      if (output == nullptr) return;
      const Image response = readImage(output_ / output->file, 0, limits).image;
      const Statistics found = statisticsOf(response);
      const Statistics given = statisticsOf(readImage(input_ / idOf(seen), 0, limits).image);
      const auto values = static_cast<double>(found.pixels) *
                          static_cast<double>(std::max<std::size_t>(1, entry.outputs.size()));
      seen.mean = found.mean;
      const float nothing = roundingOf * std::max(std::fabs(given.low), std::fabs(given.high));
      seen.oddity = !(found.high - found.low > nothing)                               ? Oddity::Empty
                    : entry.nonFiniteValues > 0                                       ? Oddity::NotFinite
                    : static_cast<double>(entry.clippedValues) > muchClipped * values ? Oddity::Clipped
                    : static_cast<double>(given.top) > muchSaturated * static_cast<double>(given.pixels)
                        ? Oddity::Saturated
                        : Oddity::None;
    } catch (const Error&) {
      // What can be said of it is said where it is drawn.
    }
  }

  /// Of values whose order is nobody's.
  static double medianOf(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }

  void compareMeans() {
    std::vector<double> means;
    for (const Seen& seen : seen_) {
      if (std::isfinite(seen.mean)) means.push_back(seen.mean);
    }
    if (means.size() < fewest) return;
    const double median = medianOf(means);
    for (double& mean : means) mean = std::fabs(mean - median);
    const double deviation = medianOf(means);
    if (deviation <= 0) return;
    for (Seen& seen : seen_) {
      if (!std::isfinite(seen.mean)) continue;
      seen.far = std::fabs(seen.mean - median) / deviation;
      if (seen.oddity == Oddity::None && seen.far > farDeviations) seen.oddity = Oddity::Unlike;
    }
  }

  SheetPage::Picture picture(const fs::path& file) const {
    SheetPage::Picture result;
    try {
      const LoadedImage loaded = readImage(file, 0, limits);
      const bool color = !loaded.info.channelNames.empty() && loaded.info.channelNames.front() == "red";
      const Image small = thumbnailOf(loaded.image, color, side);
      const Statistics all = statisticsOf(loaded.image);
      result = {.png = pngBytes(small), .width = small.width(), .height = small.height()};
      if (all.low <= all.high) {
        result.note = roundText(all.low) + " to " + roundText(all.high);
      }
    } catch (const Error& error) {
      result.note = error.what();
    }
    return result;
  }

  SheetPage::Card draw(const Seen& seen) const {
    SheetPage::Card card{.id = idOf(seen), .oddity = seen.oddity};
    card.input = picture(input_ / card.id);
    if (seen.oddity == Oddity::Untried) return card;
    try {
      const JournalEntry entry = ledger_.read(seen.number);
      card.reason = entry.error;
      if (card.input.note == card.reason) card.input.note.clear();
      if (const BatchOutput* output = shownOutput(entry); entry.done && output != nullptr) {
        card.response = picture(output_ / output->file);
      }
    } catch (const Error& error) {
      card.reason = error.what();
    }
    return card;
  }

  const Manifest& manifest_;
  const Ledger& ledger_;
  const fs::path& input_;
  const fs::path& output_;
  const std::stop_token& stop_;
  std::vector<std::string> ids_;
  std::vector<Seen> seen_;
};

}  // namespace

std::string contactSheet(const Manifest& manifest, const Ledger& ledger, const fs::path& input,
                         const fs::path& output, std::size_t most, const std::stop_token& stop) {
  return Sheet(manifest, ledger, input, output, stop).make(most);
}

}  // namespace bankside
