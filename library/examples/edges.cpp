// The edges of a ramp, in C++.
#include <bankside/bankside.hpp>
#include <cstdio>
#include <vector>

int main() {
  std::vector<std::uint8_t> pixels(8 * 8);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i % 8 * 10);

  const auto bank = bankside::Bank::make("sobel").value();
  const auto plan =
      bankside::Plan::prepare(
          bank,
          {.height = 8, .width = 8, .type = bankside::Type::u8, .combine = bankside::Combine::magnitude})
          .value();
  std::vector<float> edges(pixels.size());
  plan.execute(bankside::view(pixels, {1, 8, 8}), bankside::view(edges, {1, 8, 8})).orThrow();
  std::printf("in the middle %g, at the edge %g\n", edges[4 * 8 + 4], edges[4 * 8]);
}
