#include <iostream>

#include "gui/headless/commands.h"
#include "gui/headless/completion_script.h"
#include "gui/headless/exit_code.h"

namespace bankside::headless {

int runCompletion() {
  std::cout << completionScript;
  return exitOk;
}

}  // namespace bankside::headless
