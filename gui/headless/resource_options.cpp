#include "gui/headless/resource_options.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <string_view>

#include "core/text.h"
#include "gui/headless/list_option.h"
#include "gui/headless/thread_count.h"
#include "kernels/devices.h"

namespace bankside::headless {
namespace {

constexpr std::int64_t leastMemory = 1024;

/// "512M", "1.5G", "4GB", "4GiB", "1000000"; units are of 1024.
std::int64_t parseBytes(const std::string& text) {
  std::string number = text;
  for (const char* suffix : {"iB", "B"}) {
    if (number.ends_with(suffix)) {
      number.resize(number.size() - std::string_view(suffix).size());
      break;
    }
  }
  const auto unit = number.empty() ? std::string_view::npos : std::string_view("KMGT").find(number.back());
  const bool hasUnit = unit != std::string_view::npos;
  if (hasUnit) number.pop_back();
  if (!hasUnit && number != text) return -1;  // "4B"
  const auto value = parseNumber(number);
  if (!value) return -1;
  const double bytes = std::ldexp(*value, hasUnit ? 10 * (static_cast<int>(unit) + 1) : 0);
  return bytes >= static_cast<double>(leastMemory) && bytes <= 0x1p60 ? static_cast<std::int64_t>(bytes) : -1;
}

/// "1" or "cuda:1".
std::optional<int> parseDevice(const std::string& text) {
  const auto number = deviceNumber(text.starts_with("cuda:") ? text : "cuda:" + text);
  return number && *number < 1024 ? number : std::nullopt;
}

}  // namespace

CLI::Validator threadCount() {
  return {[](std::string& text) {
            return parseThreads(text) >= 0
                       ? std::string()
                       : "\"" + text + "\" is neither a thread count from 1 to 4096 nor \"all\"";
          },
          "N|all"};
}

void addThreads(CLI::App& app, int& threads) {
  app.add_option_function<std::string>(
         "--threads", [&threads](const std::string& t) { threads = parseThreads(t); },
         "Threads to use (default: all)")
      ->check(threadCount())
      ->type_name("");
}

void addDevices(CLI::App& app, std::vector<int>& devices) {
  CLI::Option& option = listOption(
      app, "--device", devices, parseDevice, "0, 1, ... or cuda:0, cuda:1, ...",
      "GPUs to use, as 0 or cuda:0,cuda:1 (default: all of one kind that CUDA_VISIBLE_DEVICES shows; "
      "see: bankside devices)");
  option.get_validator()->description("");  // the sentence says it
  option.type_name("N,...");
}

void addMemory(CLI::App& app, std::int64_t& memory, bool& said, const std::string& help) {
  app.add_option_function<std::string>(
         "--memory",
         [&memory, &said](const std::string& t) {
           memory = parseBytes(t);
           said = true;
         },
         help)
      ->check(CLI::Validator(
          [](std::string& t) {
            return parseBytes(t) > 0 ? std::string()
                                     : "\"" + t +
                                           "\" is no amount of memory; give bytes, 1024 at least, or a "
                                           "number with K, M, G or T, as 1.5G";
          },
          "BYTES"))
      ->type_name("");
}

}  // namespace bankside::headless
