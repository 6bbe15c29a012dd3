/// oneTBB's workers in a program of ours. Left alone, oneTBB starts them when there is work, and waits for
/// ever for one that the system refused.
#pragma once

namespace bankside {

/// For a program, at its beginning: workers are started before a team gives them work, and where the system
/// gives fewer of them a team goes on with those. Not for a library: it bounds whoever else uses oneTBB in
/// the process.
void countThreads();

/// How many of `wanted` workers there are. All of them where nobody counts. Errors  std::bad_alloc
int workersOf(int wanted);

}  // namespace bankside
