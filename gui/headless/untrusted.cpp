#include "gui/headless/untrusted.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace bankside::headless {

void addUntrusted(CLI::App& app, bool& untrusted) {
  app.add_flag("--untrusted", untrusted,
               "Decode images, as those of strangers, in processes that can open, start and send nothing");
}

std::unique_ptr<Sandbox> sandboxIf(bool untrusted, std::int64_t memory) {
  if (!untrusted) return nullptr;
  constexpr std::int64_t leastMemory = std::int64_t{64} << 20;
  return std::make_unique<Sandbox>(
      SandboxSettings{.program = {"/proc/self/exe"}, .memory = std::max(memory, leastMemory)});
}

}  // namespace bankside::headless
