/// What a program does before it opens any file, so that it can rely on what it is given.
#pragma once

namespace bankside {

/// Opens those of the descriptors 0, 1 and 2 that are closed on /dev/null: a file that is opened later would
/// take their place, and what is printed would go into it.
void keepStandardStreams();

/// As many open files as the system allows: a run in bands has every result open.
void raiseOpenFileLimit();
/// How many files may be open at a time.
int openFileLimit();

}  // namespace bankside
