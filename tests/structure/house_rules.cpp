#include "tests/structure/house_rules.h"

#include <algorithm>
#include <iterator>
#include <regex>
#include <sstream>

namespace bankside {
namespace {

constexpr int mostLines = 400;

bool startsWith(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

bool endsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool startsWithAny(const std::string& text, std::initializer_list<const char*> starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const char* start) { return startsWith(text, start); });
}

std::string layerOf(const std::string& path) { return path.substr(0, path.find('/')); }

/// Layers that a layer must not see.
std::vector<std::string> hiddenFrom(const std::string& layer) {
  if (layer == "core") return {"filters", "kernels", "library", "gui", "tests"};
  if (layer == "filters") return {"kernels", "library", "gui", "tests"};
  if (layer == "kernels") return {"filters", "library", "gui", "tests"};
  if (layer == "library") return {"gui", "tests"};
  if (layer == "gui") return {"library", "tests"};
  if (layer == "python") return {"core", "filters", "kernels", "library", "gui", "tests"};
  return {};
}

/// A room and those of its house that it may see, beside itself.
struct Room {
  std::string name;
  std::vector<std::string> sees;
};

/// From the bottom to the top. A folder below a room without a line of its own belongs to the room.
const std::vector<Room>& rooms() {
  static const std::vector<Room> list = {
      {"core", {}},
      {"core/imageio", {"core"}},
      {"core/judge", {"core"}},
      {"core/maps", {"core", "core/judge"}},
      {"core/phantom", {"core"}},
      {"core/run", {"core", "core/imageio", "core/judge", "core/maps"}},
      {"core/batch", {"core", "core/imageio", "core/run"}},
      {"core/bench", {"core", "core/imageio", "core/judge", "core/maps", "core/run"}},
      {"core/evaluate", {"core", "core/run", "core/bench"}},
      {"filters/analysis", {}},
      {"filters/formats", {}},
      {"filters/taps", {}},
      {"filters/edge", {"filters/taps"}},
      {"filters/sharpening", {"filters/taps"}},
      {"filters/smoothing", {"filters/taps"}},
      {"filters/texture", {"filters/taps"}},
      {"filters/vessel", {"filters/taps"}},
      {"filters", {"filters/formats", "filters/taps"}},
      {"kernels/cuda/device", {}},
      {"kernels/cuda/pixels", {"kernels/cuda/device"}},
      {"kernels/cuda/runtime", {"kernels/cuda/device", "kernels/cuda/pixels"}},
      {"kernels/cuda/maps", {"kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime"}},
      {"kernels/cuda/single_channel", {"kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime"}},
      {"kernels/cuda/tensor",
       {"kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime", "kernels/cuda/single_channel"}},
      {"kernels/cuda/fft",
       {"kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime", "kernels/cuda/single_channel"}},
      {"kernels/cuda/multichannel/fma",
       {"kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime", "kernels/cuda/single_channel"}},
      {"kernels/cuda/multichannel/tensor",
       {"kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime",
        "kernels/cuda/multichannel/fma"}},
      {"kernels/cuda/multichannel",
       {"kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime", "kernels/cuda/multichannel/fma",
        "kernels/cuda/multichannel/tensor"}},
      {"kernels/cuda/paper",
       {"kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime", "kernels/cuda/single_channel",
        "kernels/cuda/multichannel/fma", "kernels/cuda/multichannel"}},
      {"kernels/cuda/tuning",
       {"kernels/cuda/pixels", "kernels/cuda/runtime", "kernels/cuda/single_channel", "kernels/cuda/tensor",
        "kernels/cuda/multichannel/fma", "kernels/cuda/multichannel", "kernels/cuda/paper"}},
      {"kernels/absent", {}},
      {"kernels/reference", {}},
      {"kernels/highway", {}},
      {"kernels/fft", {"kernels/highway"}},
      {"kernels/opencv", {"kernels/absent"}},
      {"kernels/peers",
       {"kernels/absent", "kernels/cuda/device", "kernels/cuda/pixels", "kernels/cuda/runtime",
        "kernels/cuda/fft"}},
      {"kernels/planner",
       {"kernels/highway", "kernels/fft", "kernels/cuda/runtime", "kernels/cuda/single_channel",
        "kernels/cuda/tensor", "kernels/cuda/fft", "kernels/cuda/multichannel/fma",
        "kernels/cuda/multichannel/tensor", "kernels/cuda/multichannel"}},
      {"gui/headless", {}},
      {"gui/window/compute", {"gui/headless"}},
      {"gui/window/session", {"gui/window/compute"}},
      {"gui/window/models", {"gui/window/compute", "gui/window/session"}},
      {"gui/window/canvas", {"gui/window/compute", "gui/window/session", "gui/window/models"}},
      {"gui/window/panels",
       {"gui/window/compute", "gui/window/session", "gui/window/models", "gui/window/canvas"}},
      {"gui/window/shell",
       {"gui/window/compute", "gui/window/session", "gui/window/models", "gui/window/canvas",
        "gui/window/panels"}},
  };
  return list;
}

/// The room that a file is in, or null where none has an order yet.
const Room* roomWithOrder(const std::string& path) {
  const Room* found = nullptr;
  for (const Room& room : rooms()) {
    if (startsWith(path, room.name + "/") && (found == nullptr || room.name.size() > found->name.size()))
      found = &room;
  }
  return found;
}

/// Everything that `from` reaches, itself only over a way back.
void reach(const Graph& graph, const std::string& from, std::set<std::string>& seen) {
  const auto edges = graph.find(from);
  if (edges == graph.end()) return;
  for (const std::string& to : edges->second) {
    if (seen.insert(to).second) reach(graph, to, seen);
  }
}

}  // namespace

std::string roomOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string unitOf(const std::string& path) {
  const std::size_t dot = path.find('.', path.rfind('/'));
  return path.substr(0, dot);
}

std::string roomOffence(const std::string& path, const std::string& included) {
  const Room* room = roomWithOrder(path);
  const Room* other = roomWithOrder(included);
  if (room == nullptr || other == nullptr || room == other || layerOf(path) != layerOf(included)) return {};
  if (std::find(room->sees.begin(), room->sees.end(), other->name) != room->sees.end()) return {};
  return path + ": " + room->name + " must not see " + included;
}

std::vector<std::string> cycles(const Graph& graph) {
  std::vector<std::string> found;
  std::set<std::string> told;
  for (const auto& [node, edges] : graph) {
    std::set<std::string> reached;
    reach(graph, node, reached);
    if (!reached.contains(node) || told.contains(node)) continue;
    std::string names;
    for (const std::string& other : reached) {
      std::set<std::string> back;
      reach(graph, other, back);
      if (!back.contains(node)) continue;
      told.insert(other);
      names += (names.empty() ? "" : ", ") + other;
    }
    found.push_back(names);
  }
  return found;
}

std::string layeringOffence(const std::string& path, const std::string& included) {
  const std::string layer = layerOf(path);
  if (layer == "tests") return {};
  for (const std::string& hidden : hiddenFrom(layer)) {
    if (startsWith(included, hidden + "/")) return path + ": " + layer + " must not see " + included;
  }
  const auto only = [&](bool allowed, const char* where) {
    return allowed ? std::string() : path + ": " + included + " belongs " + where + " only";
  };
  if (std::string offence = roomOffence(path, included); !offence.empty()) return offence;
  static const std::regex qt("Q([A-Z][A-Za-z0-9]*|t[A-Z][A-Za-z]*(/.*)?)");
  static const std::regex cuda(
      "(cuda|cublas|cudnn|cufft|npp|nvrtc|nvml|nvtx|device_launch|cub/|thrust/|cooperative_).*");
  const bool source = endsWith(path, ".cpp");
  if (std::regex_match(included, qt)) return only(startsWith(path, "gui/window/"), "under gui/window/");
  if (std::regex_match(included, cuda)) {
    return only(startsWithAny(path, {"kernels/cuda/", "kernels/peers/"}),
                "under kernels/cuda/ and kernels/peers/");
  }
  if (startsWith(included, "opencv2/")) {
    return only(source && startsWith(path, "kernels/opencv/"), "in .cpp files of kernels/opencv/");
  }
  if (startsWith(included, "hwy/")) {
    return only(startsWith(path, "kernels/highway/") || startsWith(path, "kernels/fft/"),
                "under kernels/highway/ and kernels/fft/");
  }
  if (startsWithAny(included, {"png.h", "tiff", "jpeglib.h", "jerror.h", "turbojpeg.h"})) {
    return only(source && startsWith(path, "core/imageio/"), "in .cpp files of core/imageio/");
  }
  return {};
}

std::string nameOffence(const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  static const std::regex snakeCase("[a-z][a-z0-9]*(_[a-z0-9]+)*(-inl)?\\.[a-z]+");
  if (!std::regex_match(name, snakeCase)) return path + ": file names are snake_case";
  static const std::regex emptyWord(
      "(^|[/_])(utils?|helpers?|managers?|common|misc|fast|optimi[sz]ed|new|old|v[0-9]+)([._/-]|$)");
  if (std::regex_search(path, emptyWord)) return path + ": the name says nothing, or will not stay true";
  return {};
}

std::vector<std::string> textOffences(const std::string& path, const std::string& text) {
  std::vector<std::string> offences;
  std::istringstream lines(text);
  std::string line;
  int number = 0;
  while (std::getline(lines, line)) {
    ++number;
    const auto at = [&](const char* what) {
      offences.push_back(path + ":" + std::to_string(number) + ": " + what);
    };
    if (endsWith(line, "\r")) at("carriage return");
    if (endsWith(line, " ") || endsWith(line, "\t")) at("blank at the end of the line");
    if (line.find('\t') != std::string::npos) at("tab");
  }
  if (!text.empty() && text.back() != '\n') offences.push_back(path + ": no newline at the end");
  if (number > mostLines) {
    offences.push_back(path + ": " + std::to_string(number) + " lines; split by idea, at most " +
                       std::to_string(mostLines));
  }
  if (endsWith(path, ".h") && !endsWith(path, "-inl.h") && text.find("#pragma once\n") == std::string::npos) {
    offences.push_back(path + ": no #pragma once");
  }
  return offences;
}

std::vector<std::string> engineNameOffences(const std::string& path, const std::string& text) {
  if (!startsWithAny(path, {"core/", "filters/", "library/", "gui/"})) return {};
  static const std::regex name(
      "\"[^\"\n]*\\b((cpu|cuda|opencv|onednn|cudnn|cublas|npp|cufft):[a-z][A-Za-z0-9-]*)");
  std::vector<std::string> offences;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), name); it != std::sregex_iterator(); ++it)
    offences.push_back(path + ": names the engine " + (*it)[1].str() + "; ask the list of engines");
  return offences;
}

std::vector<std::string> untranslatedOffences(const std::string& path, const std::string& text) {
  if (!startsWithAny(path, {"gui/window/"})) return {};
  static const std::regex shown(
      "\\b(set(Text|ToolTip|StatusTip|WindowTitle|Title|PlaceholderText|AccessibleName|AccessibleDescription|"
      "Suffix|Prefix|SpecialValueText|InformativeText|IconText)|add(Item|Tab|Action|Menu|Row|Button)|"
      "showMessage|showProblem|Q(Label|PushButton|CheckBox|RadioButton|ToolButton|Action|GroupBox|DockWidget)"
      ")"
      "\\s*\\(\\s*((QStringLiteral|QLatin1String|QString)\\s*\\(\\s*)?\"(([^\"\\\\\n]|\\\\.)*)\"");
  static const std::regex noWord("%[0-9]|<[^>]*>|\\\\.|Bankside|^auto$");
  static const std::regex word("[A-Za-z]{2}");
  std::vector<std::string> offences;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), shown); it != std::sregex_iterator(); ++it) {
    const std::string words = (*it)[7].str();
    if (std::regex_search(std::regex_replace(words, noWord, ""), word))
      offences.push_back(path + ": \"" + words + "\" is shown without tr()");
  }
  return offences;
}

std::vector<std::string> coreSentenceOffences(const std::string& path, const std::string& text) {
  if (!startsWithAny(path, {"gui/window/"}) || path == "gui/window/compute/core_sentence.cpp") return {};
  static const std::regex made(
      "QString::from(Utf8|StdString|Local8Bit|Latin1)\\((?:[^()]|\\([^()]*\\))*?([.>](what\\(\\)|reason\\b|"
      "error\\b))");
  std::vector<std::string> offences;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), made); it != std::sregex_iterator(); ++it)
    offences.push_back(path + ": \"" + (*it)[0].str() + "\" is what sentenceOf is for");
  return offences;
}

std::vector<std::string> folderOffences(const std::string& path, const std::string& text) {
  if (!startsWithAny(path, {"core/", "filters/", "kernels/", "library/", "gui/"})) return {};
  if (text.find("directory_iterator") == std::string::npos) return {};
  return {path + ": reads a folder by an iterator of std::filesystem; core/folder.h is for that"};
}

std::vector<std::string> includesOf(const std::string& text) {
  static const std::regex line("(^|\n)[ ]*#[ ]*include[ ]*[<\"]([^>\"\n]+)[>\"]");
  std::vector<std::string> included;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), line); it != std::sregex_iterator(); ++it) {
    included.push_back((*it)[2]);
  }
  return included;
}

}  // namespace bankside
