/// What the subcommands do. Each returns an exit code; results go to stdout, everything else to the log
/// (stderr).
#pragma once

#include <stop_token>

#include "gui/headless/command_line.h"

namespace bankside::headless {

int runFilter(const FilterCommand& command, const std::string& commandText, std::stop_token stop);
int runBatch(const BatchCommand& command, const std::string& commandText, std::stop_token stop);
int runEvaluate(const EvaluateCommand& command, const std::string& commandText, std::stop_token stop);
int runCompare(const CompareCommand& command, const std::string& commandText, std::stop_token stop);
int runBanks(const BanksCommand& command, const std::string& commandText);
int runDevices();
int runVerify(const VerifyCommand& command, std::stop_token stop);
int runBench(const BenchCommand& command, const std::string& commandText, std::stop_token stop);
int runDeviceBench(const DeviceBenchCommand& command, const std::string& commandText, std::stop_token stop);
int runPhantom(const PhantomCommand& command, std::stop_token stop);
int runCompletion();
/// Replaces this process by the window, or explains why there is none.
int runWindow(const char* program);

}  // namespace bankside::headless
