#include "lint/estimate/formulas.h"

namespace oomlint {

namespace {

constexpr std::uint64_t blocks(std::uint64_t elements, std::uint64_t size) {
  return elements / size + (elements % size != 0 ? 1 : 0);
}

/// bits/8 a weight, a 16-bit scale and a packed zero a group.
Bytes grouped_bytes(std::uint64_t elements, std::uint64_t bits, std::uint64_t group) {
  const Bytes groups(blocks(elements, group));
  return Bytes(elements) * bits / 8 + groups * 2 + groups * bits / 8;
}

constexpr std::uint64_t bitsandbytes_block = 64;
constexpr std::uint64_t nested_block = 256;

}  // namespace

// Sources: bitsandbytes 0.50 (4-bit block 64, nested block 256 with a 256-entry table and an offset; int8
// with a row scale), the GPTQ and AWQ formats, hqq with 16-bit metadata, OCP MX (a shared exponent for 32
// values), DeepSeek-V3's fp8 with a scale per 128 × 128, torchao's int4 with a 16-bit scale and zero per
// group.
Bytes stored_bytes(Quantisation format, std::uint64_t in, std::uint64_t out, std::uint32_t group) {
  const std::uint64_t elements = product({in, out}).count();
  const std::uint64_t size = group > 0 ? group : 128;
  const std::uint64_t absmax = blocks(elements, bitsandbytes_block);
  switch (format) {
    case Quantisation::none:
      return Bytes(elements) * 2;
    case Quantisation::nf4:
    case Quantisation::fp4:
      return Bytes(elements) / 2 + Bytes(absmax) * 4 + Bytes(64);
    case Quantisation::nf4_double:
    case Quantisation::fp4_double:
      return Bytes(elements) / 2 + Bytes(absmax) + Bytes(blocks(absmax, nested_block)) * 4 +
             Bytes(4 + 1024 + 64);
    case Quantisation::int8:
      return Bytes(elements) + Bytes(out) * 4;
    case Quantisation::gptq:
      return grouped_bytes(elements, 4, size) + Bytes(in) * 4;
    case Quantisation::awq:
      return grouped_bytes(elements, 4, size);
    case Quantisation::hqq:
      return Bytes(elements) / 2 + Bytes(blocks(elements, group > 0 ? group : 64)) * 4;
    case Quantisation::fp8:
      return Bytes(elements) + product({blocks(in, 128), blocks(out, 128)}) * 4;
    case Quantisation::mxfp4:
      return Bytes(elements) / 2 + Bytes(blocks(elements, 32));
    case Quantisation::int4:
      return Bytes(elements) / 2 + Bytes(blocks(elements, size)) * 4;
    case Quantisation::four_bit:
      return Bytes(elements) / 2;
  }
  return Bytes(elements) * 2;
}

}  // namespace oomlint
