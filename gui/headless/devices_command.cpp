#include <iostream>

#include "core/environment.h"
#include "core/table.h"
#include "gui/headless/commands.h"
#include "gui/headless/exit_code.h"
#include "kernels/devices.h"
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
  const std::vector<DeviceLine> gpus = describeDevices();
  if (!gpus.empty()) {
    Table devices({"device", "use", "what it is"});
    for (const DeviceLine& gpu : gpus)
      devices.add(
          {gpu.name, gpu.use ? "in use" : "left out", gpu.what + (gpu.use ? "" : ": " + gpu.use.reason)});
    std::cout << devices.aligned() << "\n";
  }
  for (const auto& [name, value] : currentEnvironment()) std::cout << name << ": " << value << "\n";
  return exitOk;
}

}  // namespace bankside::headless
