#include "gui/window/compute/folder_report.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>

#include "core/batch/ledger.h"
#include "core/engine.h"
#include "core/error.h"
#include "core/evaluate/evaluation_report.h"
#include "core/imageio/image_io.h"
#include "core/parallel.h"
#include "core/table.h"
#include "core/text.h"
#include "gui/headless/truth_files.h"
#include "gui/window/compute/thumbnail.h"

namespace bankside::window {
namespace {

namespace fs = std::filesystem;

constexpr const char* truthPlace = "the folder of manual vessels";

/// The operating point that a folder is told about: the threshold that was set, or the best one.
const OperatingPoint* pointOf(const Evaluation& evaluation) {
  const auto named = [&](const char* name) {
    return std::find_if(evaluation.points.begin(), evaluation.points.end(),
                        [&](const OperatingPoint& point) { return point.name == name; });
  };
  auto at = named(pointFixed);
  if (at == evaluation.points.end()) at = named(pointBestMcc);
  return at == evaluation.points.end() ? nullptr : &*at;
}

headless::NamedImage namedAfter(const fs::path& image) { return {image, image.stem().string()}; }

/// Manual vessels of images, looked for in the truth's folder that is named like the image's own.
class TruthFolder {
 public:
  /// `images`: paths below `input`
  TruthFolder(const fs::path& truth, const fs::path& input, const std::vector<std::string>& images) {
    if (truth.empty()) return;
    std::map<fs::path, std::vector<std::size_t>> folders;
    for (std::size_t i = 0; i < images.size(); ++i) folders[fs::path(images[i]).parent_path()].push_back(i);
    files_.resize(images.size());
    for (const auto& [folder, members] : folders) {
      std::vector<headless::NamedImage> named;
      for (const std::size_t i : members) named.push_back(namedAfter(images[i]));
      const fs::path own = truth / folder;
      const auto found =
          headless::lookForFilesOfImages(named, {(fs::is_directory(own) ? own : truth).string()}, truthPlace,
                                         headless::imagesIn(input / folder));
      for (std::size_t k = 0; k < members.size(); ++k) files_[members[k]] = found[k];
    }
  }
  bool none() const { return files_.empty(); }
  const headless::FileOfImage& operator[](std::size_t image) const { return files_[image]; }

 private:
  std::vector<headless::FileOfImage> files_;
};

std::vector<std::string> namesOf(const std::vector<JournalEntry>& images) {
  std::vector<std::string> names;
  for (const JournalEntry& image : images) names.push_back(image.id);
  return names;
}

class Measuring {
 public:
  Measuring(const FolderQuestion& question, std::vector<JournalEntry> images)
      : question_(question),
        images_(std::move(images)),
        truth_(question.truth, question.input, namesOf(images_)) {
    rows_.resize(images_.size());
    labelled_.resize(images_.size());
  }

  FolderReport run(const std::function<void(int, int)>& watch, const std::stop_token& stop) {
    const int count = static_cast<int>(images_.size());
    int done = 0;
    std::mutex told;
    ThreadTeam(question_.threads).forRanges(0, count, 1, [&](int first, int last) {
      const SingleThreaded single;
      for (int i = first; i < last; ++i) {
        if (stop.stop_requested()) throw Cancelled();
        measure(static_cast<std::size_t>(i));
        const std::lock_guard lock(told);
        watch(++done, count);
      }
    });
    FolderReport report;
    std::vector<LabelledImage> scored;
    for (std::size_t i = 0; i < images_.size(); ++i) {
      if (labelled_[i]) {
        std::find_if(rows_[i].begin(), rows_[i].end(), [](const FolderReport::Row& row) {
          return row.judged;
        })->score = static_cast<int>(scored.size());
        scored.push_back(std::move(*labelled_[i]));
      }
      std::move(rows_[i].begin(), rows_[i].end(), std::back_inserter(report.rows));
    }
    if (!scored.empty())
      report.evaluation =
          evaluate(scored, {.threshold = question_.threshold, .threads = question_.threads}, stop);
    return report;
  }

 private:
  void measure(std::size_t i) {
    const JournalEntry& entry = images_[i];
    std::vector<FolderReport::Row>& rows = rows_[i];
    if (!entry.done) {
      rows.push_back(
          {.image = entry.id, .error = entry.error.empty() ? "not reached" : entry.error, .judged = true});
      return;
    }
    MaskPtr mask;
    FolderReport::Row row{.image = entry.id};
    try {
      const PicturePtr picture = openPicture(question_.input / entry.id, 0);
      if (picture->info.pages > 1) row.note = "page 1 of " + std::to_string(picture->info.pages);
      mask = maskOf(*picture, row.note);
    } catch (const std::exception& error) {
      row.error = error.what();
      row.judged = true;
      rows.push_back(std::move(row));
      return;
    }
    const std::size_t each = entry.outputs.size() / static_cast<std::size_t>(std::max(1, entry.pages));
    const std::optional<std::size_t> judged = judgedOf(entry, each);
    for (std::size_t k = 0; k < each; ++k) {
      rows.push_back(row);
      rows.back().result = entry.outputs[k].file;
      rows.back().judged = k == judged.value_or(each - 1);
      if (!judged && rows.back().judged && !truth_.none())
        rows.back().unscored = "it has no result " + question_.judged;
      try {
        measure(i, rows.back(), mask, k == judged);
      } catch (const std::exception& error) {
        rows.back().error = error.what();
      }
    }
  }

  /// Which of the first results of an image. A grey image among others has none of their channels in its
  /// names.
  std::optional<std::size_t> judgedOf(const JournalEntry& entry, std::size_t each) const {
    if (question_.judged.empty() || each == 1) return each - 1;
    for (const std::string& label : {question_.judged, question_.judgedAlone}) {
      // Labels may end alike ("x" and "a.x"): of one image's files the shortest name has that label alone.
      std::optional<std::size_t> found;
      for (std::size_t k = 0; k < each; ++k) {
        const auto stem = [&](std::size_t i) { return fs::path(entry.outputs[i].file).stem().string(); };
        if (stem(k).ends_with('.' + label) && (!found || stem(k).size() < stem(*found).size())) found = k;
      }
      if (found) return found;
    }
    return std::nullopt;
  }

  MaskPtr maskOf(const Picture& picture, std::string& note) const {
    if (question_.region.kind != RegionKind::FieldOfView) return makeMask(question_.region, picture);
    try {
      return makeMask(question_.region, picture);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::BadInput) throw;
      note += (note.empty() ? "" : "; ") + std::string("no dark frame around it: the whole image counts");
      return nullptr;
    }
  }

  void measure(std::size_t i, FolderReport::Row& row, const MaskPtr& mask, bool judged) {
    auto image = std::make_shared<const Image>(readImage(question_.output / row.result).image);
    row.inside = measureInside(*makePlane(image, 0), mask.get());
    if (!judged || truth_.none()) return;
    try {
      if (!truth_[i].error.empty()) throw Error(ErrorCode::BadInput, truth_[i].error);
      requireRoom(static_cast<std::int64_t>(image->width()) * image->height());
      const Mask found = bankside::maskOf(readImage(truth_[i].file).image);
      const Image& marks = found.pixels;
      if (found.graded)
        row.note += (row.note.empty() ? "" : "; ") + truth_[i].file.filename().string() +
                    " has several values beside 0; all of them count";
      labelled_[i] = labelled(row.image, convert(*image, ElementType::F32), marks,
                              mask ? mask->clone() : Image(), Image());
    } catch (const Error& error) {
      row.unscored = error.what();
    }
  }

  /// All images are held until the last one is there.
  void requireRoom(std::int64_t pixels) {
    if ((pixels_ += pixels) > machineMemory() / 2 / evaluateBytes)
      throw Error(ErrorCode::Limit, "all images together have more pixels than fit into memory");
  }

  const FolderQuestion& question_;
  std::vector<JournalEntry> images_;
  TruthFolder truth_;
  std::vector<std::vector<FolderReport::Row>> rows_;
  std::vector<std::optional<LabelledImage>> labelled_;
  std::atomic<std::int64_t> pixels_ = 0;
};

std::string numberText(double value) { return std::isfinite(value) ? formatNumber(value) : std::string(); }

using Cells = std::vector<std::pair<std::string, std::string>>;

std::string wholeNote(const FolderReport::Row& row) {
  if (row.unscored.empty()) return row.note;
  return row.note + (row.note.empty() ? "" : "; ") + "not scored: " + row.unscored;
}

/// What is said of one row; the names are the same for all of them.
Cells cellsOf(const FolderReport::Row& row) {
  const RegionStatistics* s = row.inside ? &*row.inside : nullptr;
  const bool any = s != nullptr && s->pixels > s->nonFinite;
  const auto value = [&](double v) { return any ? numberText(v) : std::string(); };
  return {{"image", row.image},
          {"status", row.error.empty() ? "done" : "failed"},
          {"error", row.error},
          {"result", row.result},
          {"note", wholeNote(row)},
          {"pixels", s != nullptr ? std::to_string(s->pixels) : ""},
          {"not_finite", s != nullptr ? std::to_string(s->nonFinite) : ""},
          {"mean", any ? value(s->mean) : ""},
          {"deviation", any ? value(s->deviation) : ""},
          {"least", any ? value(static_cast<double>(s->range.low)) : ""},
          {"median", any ? value(static_cast<double>(s->histogram.percentile(0.5))) : ""},
          {"largest", any ? value(static_cast<double>(s->range.high)) : ""}};
}

void addScore(Cells& cells, double area, double precision, const OperatingPoint& point,
              const OperatingPoint::Score& score) {
  cells.emplace_back("auc", numberText(area));
  cells.emplace_back("average_precision", numberText(precision));
  for (auto& cell : scoreCells(point, score)) cells.push_back(std::move(cell));
}

}  // namespace

FolderReport measureFolder(const FolderQuestion& question, const std::function<void(int, int)>& watch,
                           const std::stop_token& stop) {
  const Manifest manifest(question.manifest);
  const Ledger ledger(manifest);
  std::vector<JournalEntry> images;
  manifest.forEach([&](std::int64_t number, const ManifestEntry& planned) {
    JournalEntry entry;
    if (ledger.attempts(number) > 0) entry = ledger.read(number);
    entry.id = planned.id;
    images.push_back(std::move(entry));
    return true;
  });
  return Measuring(question, std::move(images)).run(watch, stop);
}

void requireOneTruth(const fs::path& truth, const fs::path& input, const std::vector<std::string>& images) {
  const TruthFolder found(truth, input, images);
  for (std::size_t i = 0; i < images.size() && !found.none(); ++i) {
    if (!found[i].error.empty() && !found[i].none) throw Error(ErrorCode::BadInput, found[i].error);
  }
}

fs::path truthBeside(const fs::path& truth, const fs::path& of, const fs::path& image) {
  const std::string name = truth.filename().string();
  const std::string before = of.stem().string();
  if (name.starts_with(before)) {
    const fs::path same = truth.parent_path() / (image.stem().string() + name.substr(before.size()));
    if (fs::is_regular_file(same) && same != image) return same;
  }
  // 01_image beside 01_manual: what the names begin with is the picture's, what they end with is all
  // pictures'.
  const std::string stem = image.stem().string();
  const auto common = static_cast<std::size_t>(
      std::mismatch(name.begin(), name.end(), before.begin(), before.end()).first - name.begin());
  const std::string kind = before.substr(common);
  if (common > 0 && stem.ends_with(kind)) {
    const fs::path like =
        truth.parent_path() / (stem.substr(0, stem.size() - kind.size()) + name.substr(common));
    if (fs::is_regular_file(like) && like != image) return like;
  }
  if (truth.parent_path() == image.parent_path()) return {};  // each image would be found for itself
  try {
    const auto found = headless::lookForFilesOfImages({namedAfter(image)}, {truth.parent_path().string()},
                                                      truthPlace, headless::imagesIn(image.parent_path()));
    return found.front().error.empty() ? found.front().file : fs::path();
  } catch (const Error&) {
    return {};  // the folder is gone
  }
}

std::string toCsv(const FolderReport& report) {
  const OperatingPoint* point = report.evaluation ? pointOf(*report.evaluation) : nullptr;
  std::vector<Cells> rows;
  for (const FolderReport::Row& row : report.rows) {
    rows.push_back(cellsOf(row));
    if (point == nullptr || row.score < 0) continue;
    const auto& scored = report.evaluation->images[static_cast<std::size_t>(row.score)];
    addScore(rows.back(), scored.area, scored.averagePrecision, *point,
             point->images[static_cast<std::size_t>(row.score)]);
  }
  if (point != nullptr) {
    Cells pooled = cellsOf({.image = "all images together"});
    for (auto& [name, text] : pooled) {
      if (name == "status") text.clear();
    }
    addScore(pooled, report.evaluation->pooledArea.value, report.evaluation->pooled.averagePrecision, *point,
             point->pooled);
    rows.push_back(std::move(pooled));
  }
  std::size_t widest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() > rows[widest].size()) widest = i;
  }
  std::vector<std::string> header;
  if (!rows.empty())
    for (const auto& [name, text] : rows[widest]) header.push_back(name);
  Table table(header);
  for (const Cells& row : rows) {
    std::vector<std::string> cells;
    for (const auto& [name, text] : row) cells.push_back(text);
    cells.resize(header.size());
    table.add(std::move(cells));
  }
  return table.csv();
}

}  // namespace bankside::window
