#include "gui/headless/resource_options.h"

#include <CLI/CLI.hpp>

#include "core/text.h"
#include "gui/headless/list_option.h"
#include "gui/headless/thread_count.h"
#include "kernels/devices.h"

namespace bankside::headless {
namespace {

/// "512M", "4G", "1000000".
std::int64_t parseBytes(const std::string& text) {
  if (text.empty()) return -1;
  const std::string units = "KMGT";
  const auto unit = units.find(text.back());
  const auto number = parseInteger(unit == std::string::npos ? text : text.substr(0, text.size() - 1));
  if (!number || *number < 1 || *number > (std::int64_t{1} << 50)) return -1;
  const int shift = unit == std::string::npos ? 0 : 10 * (static_cast<int>(unit) + 1);
  return *number > (std::int64_t{1} << 60) >> shift ? -1 : *number << shift;
}

/// "1" or "cuda:1".
std::optional<int> parseDevice(const std::string& text) {
  const auto number = deviceNumber(text.starts_with("cuda:") ? text : "cuda:" + text);
  return number && *number < 1024 ? number : std::nullopt;
}

}  // namespace

CLI::Validator threadCount() {
  return {[](std::string& text) {
            return parseThreads(text) >= 0 ? std::string()
                                           : "\"" + text + "\" is neither a thread count nor \"all\"";
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
            return parseBytes(t) > 0
                       ? std::string()
                       : "\"" + t +
                             "\" is no amount of memory; give bytes, or a whole number with K, M, G or T";
          },
          "BYTES"))
      ->type_name("");
}

}  // namespace bankside::headless
