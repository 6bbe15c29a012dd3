/// The options that say how much of the machine a run may take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace bankside::headless {

/// "all" or a count, as `parseThreads` reads it.
CLI::Validator threadCount();

/// --threads N|all; 0 is all.
void addThreads(CLI::App& app, int& threads);

/// --device 0,1 or cuda:0,cuda:1; none are all.
void addDevices(CLI::App& app, std::vector<int>& devices);

/// --memory, in bytes or with K, M, G or T. `said`: it was given.
void addMemory(CLI::App& app, std::int64_t& memory, bool& said, const std::string& help);

}  // namespace bankside::headless
