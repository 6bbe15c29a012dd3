/// `--untrusted`: images are decoded in processes that can do nothing else.
#pragma once

#include <cstdint>
#include <memory>

#include "core/imageio/sandbox.h"

namespace CLI {
class App;
}

namespace bankside::headless {

/// --untrusted, of filter, batch, evaluate and compare.
void addUntrusted(CLI::App& app, bool& untrusted);

/// What a command that reads images holds as long as it reads them: a sandbox, or null where none is asked
/// for.
/// `memory`: what decoding a page may take. Errors  as for Sandbox
std::unique_ptr<Sandbox> sandboxIf(bool untrusted, std::int64_t memory);

}  // namespace bankside::headless
