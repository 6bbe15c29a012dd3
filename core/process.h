/// What a program does before it works, so that it can rely on what it is given.
#pragma once

namespace bankside {

/// Opens those of the descriptors 0, 1 and 2 that are closed on /dev/null: a file that is opened later would
/// take their place, and what is printed would go into it.
void keepStandardStreams();

/// Memory of images beyond 4 MiB goes back to the system when it is freed, from now on; smaller ones and
/// threads' workspaces stay.
/// malloc would put what is small and stays, as a line of a report, into an image's place, and need new
/// memory for every image of a long run. Not for what is timed: OpenCV asks for memory at every call.
void giveBackLargeMemory();

/// As many open files as the system allows: a run in bands has every result open.
void raiseOpenFileLimit();

/// Where the addresses of the process are bounded, all threads take memory from one place: malloc would set
/// 64 MiB of addresses aside for each, which images then lack.
void saveAddresses();
/// How many files may be open at a time.
int openFileLimit();

}  // namespace bankside
