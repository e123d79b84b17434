#include "lint/estimate/blocks/blocks.h"

#include <algorithm>

// litgpt/model.py, lora.py and utils.py at eight commits from August 2023 to September 2024, counted by
// running the modules under fake tensors (profile of litgpt, section 1.2). The counts hold for a layer
// without activation checkpointing; bytes are per token until the last line.
namespace oomlint {

namespace {

class LitgptLayer {
 public:
  LitgptLayer(const Sizes& sizes, const Stack& stack)
      : sizes_(sizes),
        stack_(stack),
        shape_(sizes.plan.model),
        adapter_(sizes.plan.adapter),
        frozen_(sizes.trains == Trains::adapters),
        keeps_inputs_(frozen_ && sizes.quantised() && stack.keeps_quantised_inputs),
        // Linears of 4 bits compute in the dtype of their input: fp32 behind fp32 norms.
        wide_mlp_(sizes.quantised() && sizes.precision == Precision::mixed) {}

  [[nodiscard]] std::uint64_t norms() const {
    const std::uint64_t count = std::max<std::uint64_t>(1, shape_.norms_per_layer);
    // Both norms of a parallel layer read one tensor; RMSNorm makes its own fp32 copy of it each time.
    if (shape_.norm == NormKind::layer) return (sizes_.recipe.parallel ? 1 : count) * residual() + 8 * count;
    return count * norm();
  }
  [[nodiscard]] std::uint64_t norm() const {
    if (shape_.norm == NormKind::layer) return residual() + 8;
    const bool narrow = stack_.narrow_norms && sizes_.precision == Precision::half;
    const std::uint64_t input = narrow ? residual() + 2 : sizes_.hidden * 4 + 4;
    return input + (frozen_ ? 0 : residual());
  }

  [[nodiscard]] std::uint64_t attention() const {
    const std::uint64_t q = sizes_.q;
    const std::uint64_t kv = sizes_.kv;
    std::uint64_t bytes = query_key_value();
    // Rotated q and k (k is repeated to all heads first) and the output.
    bytes += 3 * element() * q;
    if (shape_.attention_softcap > 0) {
      bytes += sizes_.heads * sizes_.length * (2 * element() + 4);
    } else {
      bytes += 4 * sizes_.heads;
    }
    // v is a view of the joint projection unless it is repeated; one head was spread by a view at first.
    const bool grouped_heads = sizes_.kv_heads < sizes_.heads && (sizes_.kv_heads > 1 || stack_.repeats_kv);
    bytes += element() * (grouped_heads ? q : q + 2 * kv);
    if (shape_.qk_norm != QkNorm::none) {
      const std::uint64_t normalised = frozen_ ? 0 : sizes_.residual_bytes;
      bytes += (q + kv) * (4 + normalised) + 4 * (sizes_.heads + sizes_.kv_heads);
    }
    if (!frozen_) bytes += element() * q;
    if (frozen_ && adapter_.o) bytes += adapted(q);
    return bytes;
  }

  [[nodiscard]] std::uint64_t mlp() const {
    const std::uint64_t h = sizes_.hidden;
    const std::uint64_t f = sizes_.mlp;
    const std::uint64_t wide = wide_mlp_ ? 4 : element();
    const bool adapts = adapter_.gate || adapter_.up || adapter_.down;
    const std::uint64_t inputs = shape_.gated_mlp ? 2 : 1;
    std::uint64_t bytes = (shape_.gated_mlp ? 3 : 1) * wide * f;
    if (!frozen_) {
      bytes += wide * f;
      // Autocast casts the input for each linear; otherwise they share it, also with the attention where the
      // norm is shared.
      if (sizes_.precision == Precision::mixed) {
        bytes += inputs * element() * h;
      } else if (shape_.norms_per_layer > 1) {
        bytes += element() * h;
      }
    } else if (adapts) {
      bytes += inputs * adapted(h) + adapted(f);
    }
    return bytes;
  }

  /// Inputs that bitsandbytes before 0.44 keeps: of the joint projection, the output projection, the MLP.
  [[nodiscard]] std::uint64_t kept_inputs() const {
    return keeps_inputs_ ? kept_element() * (2 * sizes_.hidden + sizes_.q + sizes_.mlp) : 0;
  }
  [[nodiscard]] std::uint64_t lowest_saving() const {
    if (!frozen_) return 0;
    const std::uint64_t first = keeps_inputs_ ? kept_element() * sizes_.hidden : 0;
    if (!sizes_.recipe.parallel) return norm() + first;
    const bool adapts = adapter_.gate || adapter_.up || adapter_.down;
    const std::uint64_t inputs = keeps_inputs_ ? kept_element() * (sizes_.hidden + sizes_.mlp) : 0;
    return first + (adapts ? 0 : mlp() + inputs);
  }
  [[nodiscard]] std::uint64_t outside() const {
    const std::uint64_t ids = 12;
    std::uint64_t bytes = ids + norm();
    if (!frozen_) bytes += element() * sizes_.hidden;
    if (frozen_ && adapter_.head) bytes += adapted(sizes_.hidden);
    if (keeps_inputs_ && sizes_.plan.quantised_head) bytes += kept_element() * sizes_.hidden;
    return bytes;
  }

 private:
  [[nodiscard]] std::uint64_t element() const { return sizes_.compute_bytes; }
  [[nodiscard]] std::uint64_t kept_element() const {
    return sizes_.precision == Precision::mixed ? 4 : element();
  }
  [[nodiscard]] std::uint64_t residual() const { return sizes_.hidden * sizes_.residual_bytes; }
  /// An adapter keeps its input behind dropout, dropout's mask and the product between A and B.
  [[nodiscard]] std::uint64_t adapted(std::uint64_t width) const {
    return element() * width + (adapter_.dropout ? width : 0) + element() * adapter_.rank;
  }
  [[nodiscard]] std::uint64_t query_key_value() const {
    if (!frozen_) return element() * sizes_.hidden;
    const std::uint64_t enabled =
        std::uint64_t{adapter_.q} + std::uint64_t{adapter_.k} + std::uint64_t{adapter_.v};
    if (enabled == 0) return 0;
    std::uint64_t bytes = adapted(sizes_.hidden) + element() * adapter_.rank * (enabled - 1);
    // The updates are scattered into the joint output unless all three are there.
    if (enabled < 3)
      bytes += element() *
               ((adapter_.q ? sizes_.q : 0) + (adapter_.k ? sizes_.kv : 0) + (adapter_.v ? sizes_.kv : 0));
    return bytes;
  }

  const Sizes& sizes_;
  const Stack& stack_;
  const ModelShape& shape_;
  const ConcreteAdapter& adapter_;
  bool frozen_;
  bool keeps_inputs_;
  bool wide_mlp_;
};

/// Autocast's casts of the weights are saved for backward, those of frozen ones at each use: the head's for
/// every chunk. In the lowest layer those of linears whose input needs no gradient are not.
void add_casts(const Sizes& sizes, const Stack& stack, BlockBytes& bytes) {
  if (!sizes.quantised()) {
    bytes.weight_copies = Bytes(sizes.matrix_elements()) * 2;
    bytes.layer += bytes.weight_copies;
    const ConcreteAdapter& adapter = sizes.plan.adapter;
    const bool idle_mlp = sizes.recipe.parallel && !adapter.gate && !adapter.up && !adapter.down;
    for (const LinearModule& module : sizes.modules.all()) {
      const bool attends = module.role == Role::q || module.role == Role::k || module.role == Role::v;
      const bool idle = attends || (idle_mlp && module.role != Role::o);
      if (sizes.trains == Trains::adapters && idle)
        bytes.lowest_saving += product({module.in, module.out, 2});
    }
  }
  if (sizes.quantised() && sizes.plan.quantised_head) return;
  const std::uint64_t rows = stack.logits.chunk_rows > 0 ? stack.logits.chunk_rows : sizes.length;
  const std::uint64_t chunks = rows > 0 ? (sizes.length + rows - 1) / rows : 1;
  bytes.outside += Bytes(sizes.vocabulary_elements()) * 2 * std::max<std::uint64_t>(1, chunks);
}

}  // namespace

BlockBytes litgpt_block(const Sizes& sizes, const Stack& stack) {
  const LitgptLayer layer(sizes, stack);
  const Bytes tokens(sizes.tokens);
  BlockBytes bytes;
  bytes.mlp = tokens * layer.mlp();
  bytes.quantised_inputs = tokens * layer.kept_inputs();
  bytes.layer = tokens * (layer.norms() + layer.attention()) + bytes.mlp + bytes.quantised_inputs;
  bytes.lowest_saving = tokens * layer.lowest_saving();
  bytes.outside = tokens * layer.outside();
  if (sizes.precision == Precision::mixed) add_casts(sizes, stack, bytes);
  if (sizes.plan.model.attention_softcap > 0)
    bytes.attention_backward = product({sizes.batch, sizes.heads, sizes.length, sizes.length, 8});
  return bytes;
}

}  // namespace oomlint
