#include "python/result_array.h"

#include <cstdlib>
#include <new>

namespace nb = nanobind;

namespace bankside_python {
namespace {

template <class Framework>
nb::object castNew(void* data, const std::size_t* shape, std::size_t axes, nb::handle owner,
                   nb::dlpack::dtype type) {
  const nb::ndarray<Framework> array(data, axes, shape, owner, nullptr, type, nb::device::cpu::value, 0);
  return nb::cast(array);
}

}  // namespace

nb::object newArray(std::int32_t type, const std::size_t* shape, std::size_t axes, nb::handle like,
                    void*& data) {
  std::size_t bytes = static_cast<std::size_t>(bk_type_size(type));
  bool fits = true;
  for (std::size_t i = 0; i < axes; ++i) fits = fits && !__builtin_mul_overflow(bytes, shape[i], &bytes);
  fits = fits && bytes <= std::size_t(PTRDIFF_MAX) - 64;
  data = fits ? std::aligned_alloc(64, (bytes + 63) / 64 * 64) : nullptr;
  if (data == nullptr) throw std::bad_alloc();
  const nb::capsule owner(data, [](void* memory) noexcept { std::free(memory); });
  const nb::dlpack::dtype element = {
      static_cast<std::uint8_t>(type == BK_F32 || type == BK_F16 ? nb::dlpack::dtype_code::Float
                                                                 : nb::dlpack::dtype_code::UInt),
      static_cast<std::uint8_t>(bk_type_size(type) * 8), 1};
  if (isOf(like, "numpy")) return castNew<nb::numpy>(data, shape, axes, owner, element);
  if (isOf(like, "torch")) return castNew<nb::pytorch>(data, shape, axes, owner, element);
  if (isOf(like, "jaxlib")) return castNew<nb::jax>(data, shape, axes, owner, element);
  return castNew<nb::array_api>(data, shape, axes, owner, element);
}

}  // namespace bankside_python
