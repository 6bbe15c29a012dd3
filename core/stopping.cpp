#include "core/stopping.h"

#include <utility>

#include "core/engine.h"

namespace bankside {
namespace {

std::stop_token& programStop() {
  static std::stop_token stop;
  return stop;
}

}  // namespace

void setProgramStop(std::stop_token stop) { programStop() = std::move(stop); }

bool programStops() { return programStop().stop_requested(); }

void throwIfProgramStops() {
  if (programStops()) throw Cancelled();
}

}  // namespace bankside
