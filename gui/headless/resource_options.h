/// The options that say how much of the machine a run may take.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace bankside::headless {

/// --threads N|all; 0 is all.
void addThreads(CLI::App& app, int& threads);

/// --memory, in bytes or with K, M, G or T.
void addMemory(CLI::App& app, std::int64_t& memory, const std::string& help);

}  // namespace bankside::headless
