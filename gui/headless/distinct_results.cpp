#include "gui/headless/distinct_results.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/error.h"
#include "gui/headless/page.h"

namespace bankside::headless {
namespace {

/// Those whose results may meet: one's name is another's up to a dot. And the first, for results that meet
/// within an image.
std::set<std::size_t> suspects(const std::vector<InputFile>& inputs) {
  std::map<std::string, std::size_t> byStem;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].error.empty()) byStem.emplace(inputs[i].stem, i);
  }
  std::set<std::size_t> found;
  if (!byStem.empty()) found.insert(0);
  for (const auto& [stem, number] : byStem) {
    for (std::size_t dot = stem.find('.'); dot != std::string::npos; dot = stem.find('.', dot + 1)) {
      const auto other = byStem.find(stem.substr(0, dot));
      if (other != byStem.end()) found.insert({number, other->second});
    }
  }
  return found;
}

/// None of what cannot be opened: that is said in its turn.
std::optional<ImageFile> opened(const InputFile& input) {
  try {
    return ImageFile(input.path);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The same for one of its pages.
std::vector<std::filesystem::path> resultsOf(const FilterCommand& command, const InputFile& input,
                                             const ImageFile& file, int page, const Runner& runner) {
  try {
    const ImageInfo info = pageInfo(command, file, page);
    std::unique_ptr<Source> header;
    const ChannelSelection selection = selectionOf(info, command, runner, header);
    ImageRun report;
    return resultFilesOf(command, input, page, info, selection, runner, report)->paths();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

void requireDistinctResults(const FilterCommand& command, const std::vector<InputFile>& inputs,
                            const Runner& runner, RunFiles files) {
  if (isOfPages(command.recipe.channel)) return;  // no header has all channels
  for (const std::size_t number : suspects(inputs)) {
    const InputFile& input = inputs[number];
    const std::optional<ImageFile> file = opened(input);
    const int first = command.page != 0 ? command.page - 1 : 0;
    const int end = !file ? first : command.page != 0 ? command.page : file->pages();
    for (int page = first; page < end; ++page) {
      for (const std::filesystem::path& path : resultsOf(command, input, *file, page, runner))
        files.writeResult(path, "a result of " + input.path.string());
    }
  }
}

}  // namespace bankside::headless
