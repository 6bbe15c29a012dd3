#include <iostream>

#include "core/environment.h"
#include "core/table.h"
#include "gui/headless/commands.h"
#include "gui/headless/exit_code.h"
#include "kernels/engines.h"

namespace bankside::headless {

int runDevices() {
  Table table({"engine", "here", "device", "what stands behind it"});
  for (const auto& engine : engines()) {
    const Support support = engine->available();
    table.add({engine->name(), support ? "available" : "refused", engine->device(),
               support ? engine->description() : support.reason});
  }
  std::cout << table.aligned() << "\n";
  for (const auto& [name, value] : currentEnvironment()) std::cout << name << ": " << value << "\n";
  return exitOk;
}

}  // namespace bankside::headless
