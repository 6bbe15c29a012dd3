/// The request to end the whole program, for long work that nobody hands a stop token: reading and writing
/// files, drawing phantoms.
#pragma once

#include <stop_token>

namespace bankside {

/// Whose request counts from now on. To be called before other threads start.
void setProgramStop(std::stop_token stop);

bool programStops();
/// Throws Cancelled once the end was asked for.
void throwIfProgramStops();

}  // namespace bankside
