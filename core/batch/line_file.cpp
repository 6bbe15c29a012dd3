#include "core/batch/line_file.h"

namespace bankside {

bool LineFile::next(std::string& line) {
  line.clear();
  start_ = bytes_.position();
  for (int letter = bytes_.get(); letter != '\n'; letter = bytes_.get()) {
    if (letter < 0) {
      torn_ = !line.empty();
      return torn_;
    }
    if (line.size() == longestLine) file_.damaged("has a line that is too long to be one of ours");
    line += static_cast<char>(letter);
  }
  return true;
}

}  // namespace bankside
