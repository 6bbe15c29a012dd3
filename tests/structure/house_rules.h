/// The rules of the house that a program can check: who may include what, how files are named, how long they
/// get.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace bankside {

/// What is wrong with one #include of a file, or nothing. `path` is relative to the top, with '/'; `included`
/// is the text between the quotes or angle brackets.
/// - core sees nothing of filters/, kernels/, library/ and gui/; filters and kernels nothing of each other
/// and
///   of what is above them; library/ and gui/ nothing of each other; python/ sees installed headers alone;
///   nobody sees tests/, which see everything.
/// - CUDA stays in kernels/cuda/ and kernels/peers/, Highway in kernels/highway/, Qt in gui/window/,
///   OpenCV in .cpp files of kernels/opencv/, codecs in .cpp files of core/imageio/.
/// - a room sees those rooms of its layer that its line in `rooms()` names.
std::string layeringOffence(const std::string& path, const std::string& included);

/// The last of these alone.
std::string roomOffence(const std::string& path, const std::string& included);

/// "core/run" of "core/run/runner.cpp"; "core/run/runner", which its header is too.
std::string roomOf(const std::string& path);
std::string unitOf(const std::string& path);

/// Who includes whom.
using Graph = std::map<std::string, std::set<std::string>>;
/// The members of each cycle, with commas.
std::vector<std::string> cycles(const Graph& graph);

/// What is wrong with a source file's name, or nothing: snake_case ("-inl.h" is Highway's ending), and no
/// word that says nothing or will not stay true.
std::string nameOffence(const std::string& path);

/// What is wrong with a source file's text, one sentence an offence: more than 400 lines, blanks at line
/// ends, tabs, carriage returns, no newline at the end, a header without #pragma once.
std::vector<std::string> textOffences(const std::string& path, const std::string& text);

/// Engines that a text of core/, filters/, library/ or gui/ names in quotes, one sentence each: only kernels/
/// knows which there are, the others ask the list. Families ("cpu", "cuda") are words that users choose from.
std::vector<std::string> engineNameOffences(const std::string& path, const std::string& text);

/// Words of gui/window that a user sees and no translator would: given to a widget as they stand, without
/// tr(). Names of the program and words of the command line that are typed as they stand are none.
std::vector<std::string> untranslatedOffences(const std::string& path, const std::string& text);

/// Errors and reasons of core that gui/window makes text of by itself: `sentenceOf` does it for all (0153).
std::vector<std::string> coreSentenceOffences(const std::string& path, const std::string& text);

/// Folders that the program reads by std::filesystem's iterators, which end it where memory ends:
/// core/folder.h does it for all.
std::vector<std::string> folderOffences(const std::string& path, const std::string& text);

/// The targets of the #include lines of a text.
std::vector<std::string> includesOf(const std::string& text);

}  // namespace bankside
