#include "lint/estimate/adapter_kinds.h"

#include <algorithm>
#include <iterator>

namespace oomlint {

namespace {

using enum AdapterParts;

// Sources: tensors saved by peft 0.19 to 0.21 in fake-tensor runs and its layers' forward functions. Methods
// that add a weight-sized update save it as the operand of a linear layer (4 bytes an element), and its cast
// input unless the update goes into the base weight; those that multiply or rebuild the weight save the
// 16-bit weight, the fp32 factor and the fp32 product (10). HRA saves the product of its
// reflections so far, once for each of them. Adaption
// prompts attend to their tokens without a kernel: the query again, the softmax in fp32 and twice in 16 bits.
constexpr AdapterKind kinds[] = {
    {.name = "adalora"},
    {.name = "delora"},
    {.name = "gralora"},
    {.name = "oft", .parts = vectors},
    {.name = "miss"},
    {.name = "bone"},
    {.name = "lily"},
    {.name = "peanut"},
    {.name = "vblora", .parts = vectors},
    {.name = "randlora", .parts = vectors},
    {.name = "unilora", .parts = vectors},
    {.name = "psoft", .parts = vectors},
    {.name = "c3a", .parts = vectors},
    {.name = "glora", .parts = vectors, .input = 4},
    {.name = "vera", .parts = vectors, .input = 0, .output = 4},
    {.name = "pvera", .parts = vectors, .input = 0, .output = 4},
    {.name = "ia3", .parts = vectors, .input = 0, .output = 4, .product = 0},
    {.name = "road", .parts = vectors, .input = 0, .output = 4, .product = 0},
    {.name = "tinylora", .parts = vectors, .input = 0, .product = 0},
    {.name = "boft", .parts = vectors, .product = 0, .square = 4},
    {.name = "hra", .parts = vectors, .product = 0, .square = 4, .by_rank = true},
    {.name = "shira", .input = 0, .product = 0, .matrix = 4},
    {.name = "loha", .product = 0, .matrix = 4},
    {.name = "lokr", .parts = vectors, .product = 0, .matrix = 4},
    {.name = "fourierft", .parts = vectors, .product = 0, .matrix = 4},
    {.name = "waveft", .parts = vectors, .product = 0, .matrix = 4},
    {.name = "hira", .input = 0, .product = 0, .matrix = 10},
    {.name = "deft", .input = 0, .product = 0, .matrix = 10},
    {.name = "frod", .parts = vectors, .input = 0, .product = 0, .matrix = 10},
    {.name = "supertuning", .input = 0, .product = 0, .matrix = 4},
    {.name = "ln_tuning", .parts = norms, .input = 0, .product = 0, .hidden = 4},
    {.name = "prompt_tuning", .parts = tokens, .input = 0, .product = 0},
    {.name = "p_tuning", .parts = tokens, .input = 0, .product = 0},
    {.name = "multitask_prompt_tuning", .parts = tokens, .input = 0, .product = 0},
    {.name = "prefix_tuning", .parts = tokens, .input = 0, .product = 0},
    {.name = "adaption_prompt", .parts = tokens, .input = 0, .product = 0, .hidden = 2, .pairs = 8},
    {.name = "trainable_tokens", .parts = tokens, .input = 0, .product = 0},
    {.name = "cartridge", .parts = tokens, .input = 0, .product = 0},
};

}  // namespace

const AdapterKind* find_adapter_kind(std::string_view name) {
  const auto row =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const AdapterKind& k) { return k.name == name; });
  return row == std::end(kinds) ? nullptr : &*row;
}

}  // namespace oomlint
