#include "lint/dialect/dialect.h"
#include "parsers/readers.h"
#include "tests/support/dialects.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace oomlint {

extern const Dialect hf_trainer, launch, llama_factory, megatron_lm;

namespace {

std::vector<Document> runs(std::string_view text) {
  return read_shell_runs(std::make_shared<SourceFile>("run.sh", std::string(text)));
}

/// What stands under a path of the arguments, or of the launch tree with `launch:` before it; "?" for
/// unknown, "-" for nothing, list items joined.
std::string said(const Document& document, std::string_view path) {
  const bool of_launch = path.starts_with("launch:");
  const NodeId node = of_launch ? document.find(document.launch(), path.substr(7)) : document.find(path);
  if (node == no_node) return "-";
  const Node& at = document.at(node);
  if (at.kind == NodeKind::unknown) return "?";
  if (at.kind != NodeKind::sequence) return std::string(at.text);
  std::string all;
  for (NodeId id = at.first_child; id != no_node; id = document.at(id).next)
    all += (all.empty() ? "" : "|") + std::string(document.at(id).text);
  return all;
}

std::string first(std::string_view text, std::string_view path) {
  const std::vector<Document> all = runs(text);
  return all.empty() ? "no run" : said(all.front(), path);
}

/// The source bytes of the value under a path.
std::string bytes_of(std::string_view text, std::string_view path) {
  const std::vector<Document> all = runs(text);
  if (all.empty()) return "no run";
  const NodeId node = all.front().find(path);
  if (node == no_node) return "-";
  return std::string(all.front().source().text(all.front().value_span(node)));
}

std::string world(std::string_view text) {
  const std::vector<Document> all = runs(text);
  if (all.empty()) return "no run";
  const Versions versions;
  TrainingPlan plan;
  stack(plan, read({launch, all.front(), versions, 0, all.front().launch()}));
  return to_string(plan[Field::world].effective);
}

}  // namespace

TEST_CASE("shell: options in all their spellings") {
  CHECK(first("python train.py --bs 4", "bs") == "4");
  CHECK(first("python train.py --bs=4", "bs") == "4");
  CHECK(first("python train.py --micro-batch-size 4", "micro_batch_size") == "4");
  CHECK(first("python train.py --bf16 --lr 1e-4", "bf16") == "true");
  CHECK(first("python train.py --bf16", "bf16") == "true");
  CHECK(first("python train.py --temperature -1 --x 2", "temperature") == "-1");
  CHECK(first("python train.py --lora_target_modules q_proj v_proj --x 2", "lora_target_modules") ==
        "q_proj|v_proj");
  CHECK(first("python train.py -x 3", "x") == "3");
  CHECK(first("python train.py trainer.n_gpus=8 +model.lora.rank=16", "model.lora.rank") == "16");
  CHECK(first("python train.py --no_cache", "no_cache") == "true");
  CHECK(first("python train.py --a '' --b 2", "a").empty());
  CHECK(first("python train.py --a.b 2", "a.b") == "2");
}

TEST_CASE("shell: continuations, quotes and comments") {
  CHECK(first("python train.py \\\n  --a 1 \\\n  --b 2\n", "b") == "2");
  CHECK(first("python train.py --a \"x y\" --b 'c d'", "a") == "x y");
  CHECK(first("python train.py --a \"x y\" --b 'c $d'", "b") == "c $d");
  CHECK(first("python train.py --a x\\ y", "a") == "x y");
  CHECK(first("python train.py --a=\"x\"y", "a") == "xy");
  CHECK(first("python train.py --a 1 # --b 2\n", "b") == "-");
  // A comment ends the command, whatever the line before it promised.
  CHECK(first("python train.py --a 1 \\\n  # --b 2 \\\n  --c 3\n", "c") == "-");
  CHECK(first("python train.py --a 1 > log.txt 2>&1 &", "a") == "1");
  CHECK(first("python train.py --a 1 | tee log", "a") == "1");
}

TEST_CASE("shell: variables the script sets") {
  CHECK(first("BS=4\npython train.py --bs $BS", "bs") == "4");
  CHECK(first("BS=4\npython train.py --bs ${BS}", "bs") == "4");
  CHECK(first("BS=4\npython train.py --bs=\"${BS}\"", "bs") == "4");
  CHECK(first("export M=org/model\npython train.py --m \"$M-7b\"", "m") == "org/model-7b");
  CHECK(first("M=${MODEL:-org/model}\npython train.py --m $M", "m") == "org/model");
  CHECK(first("python train.py --m ${MODEL:-\"org/a b\"}", "m") == "org/a b");
  CHECK(first("A=1\nB=$A$A\npython train.py --b $B", "b") == "11");
  CHECK(first("A=1\nA+=2\npython train.py --a $A", "a") == "12");
  CHECK(first("ARGS=\"--a 1 --b 2\"\npython train.py $ARGS", "b") == "2");
  CHECK(first("ARGS=\"--a 1 \\\n --b 2\"\npython train.py $ARGS", "b") == "2");
  CHECK(first("ARGS=(\n --a 1  # one\n --b 'x y'\n)\npython train.py \"${ARGS[@]}\"", "b") == "x y");
  CHECK(first("ARGS=(--a 1)\nARGS+=(--b 2)\npython train.py ${ARGS[@]} --c 3", "b") == "2");
  CHECK(first("CMD=\"python train.py --a 1\"\n$CMD", "a") == "1");
  CHECK(first("CMD=\"python train.py --a 1\"\neval $CMD", "a") == "1");
  CHECK(first("srun bash -c 'torchrun train.py --a 1'", "a") == "1");
}

TEST_CASE("shell: what nobody knows stays unknown") {
  CHECK(first("python train.py --bs $BS --x 1", "bs") == "?");
  CHECK(first("python train.py --bs $BS --x 1", "x") == "1");
  CHECK(first("python train.py --bs $(cat bs)", "bs") == "?");
  CHECK(first("python train.py --bs $((2 * 4))", "bs") == "?");
  CHECK(first("BS=$1\npython train.py --bs $BS", "bs") == "?");
  CHECK(first("python train.py --bs=$BS", "bs") == "?");
  CHECK(first("python train.py \"$@\" --bs 4", "bs") == "4");
  CHECK(first("if [ $A = 1 ]; then BS=1; else BS=2; fi\npython train.py --bs $BS", "bs") == "?");
  CHECK(first("if [ $A = 1 ]; then BS=1; else BS=1; fi\npython train.py --bs $BS", "bs") == "1");
  CHECK(first("BS=1\nif [ $A = 1 ]; then BS=2; fi\npython train.py --bs $BS", "bs") == "?");
  CHECK(first("if [ -z \"$BS\" ]; then BS=2; fi\npython train.py --bs $BS", "bs") == "2");
  CHECK(first("for BS in 1 2; do python train.py --bs $BS; done", "bs") == "?");
  CHECK(first("BS=4\nunset BS\npython train.py --bs $BS", "bs") == "?");
  // The folder is somewhere, the file's name is there.
  CHECK(first("python train.py --model $HUB/Llama-2-7b-hf", "model") == "$HUB/Llama-2-7b-hf");
  // Options of the script itself leave its default.
  CHECK(first("M=org/m\nwhile [[ \"$1\" != \"\" ]]; do case $1 in -m) shift; M=$1 ;; esac; shift; done\n"
              "python train.py --m $M",
              "m") == "org/m");
}

TEST_CASE("shell: which commands are runs") {
  CHECK(runs("pip install torch\necho done\nls\n").empty());
  CHECK(runs("cat <<EOF > x.sh\npython train.py --a 1\nEOF\n").empty());
  CHECK(runs("python a.py --x 1\npython b.py --x 2\n").size() == 2);
  CHECK(runs("f() {\n  python a.py --x $1\n}\nf 3\n").size() == 1);
  CHECK(first("PYTHONPATH=. nohup python -u a.py --x 1 &", "launch:program") == "a.py");
  CHECK(first("python -m pkg.train --x 1", "launch:program") == "pkg.train");
  CHECK(first("swift sft --x 1", "launch:program") == "swift sft");
  CHECK(first("torchrun --nproc_per_node 2 --standalone a.py --x 1", "launch:program") == "a.py");
  CHECK(first("python3 -m torch.distributed.run --nproc-per-node=2 -m pkg.train --x 1", "launch:program") ==
        "pkg.train");
  CHECK(first("accelerate launch --config_file f.yaml --use_deepspeed a.py b.yaml", "launch:config") ==
        "b.yaml");
  CHECK(first("deepspeed --include localhost:0,1 a.py --deepspeed ds.json", "deepspeed") == "ds.json");
  CHECK(first("deepspeed --module pkg.train --x 1", "launch:program") == "pkg.train");
  CHECK(first("llamafactory-cli train a.yaml lr=1", "launch:config") == "a.yaml");
  CHECK(first("tune run --nproc_per_node 2 lora --config x batch_size=4", "launch:program") == "tune run");
  CHECK(first("srun --nodes 2 tune run lora --config x batch_size=4", "batch_size") == "4");
  CHECK(first("ray job submit --address=x --working-dir . -- python3 -m verl.trainer.main_ppo a.b=c",
              "a.b") == "c");
  CHECK(first("torchrun $DISTRIBUTED_ARGS pretrain_gpt.py --x 1", "launch:program") == "pretrain_gpt.py");
  CHECK(first("env A=1 python a.py --x 1", "launch:environment.A") == "1");
}

TEST_CASE("shell: world sizes by launcher") {
  CHECK(world("torchrun --nproc_per_node 8 a.py") == "8");
  CHECK(world("torchrun --nproc-per-node=8 --nnodes=2 a.py") == "16");
  CHECK(world("torchrun --nproc_per_node $N a.py") == "?");
  CHECK(world("torchrun --nnodes 1:4 --nproc_per_node 8 a.py") == "?");
  CHECK(world("N=4\ntorchrun --nproc_per_node=$N a.py") == "4");
  CHECK(world("torchrun a.py") == "1");
  CHECK(world("CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node gpu a.py") == "2");
  CHECK(
      world("#!/bin/bash\n#SBATCH --nodes=4\nsrun torchrun --nnodes $SLURM_NNODES --nproc_per_node 8 a.py") ==
      "32");
  CHECK(world("deepspeed --num_gpus 4 a.py") == "4");
  CHECK(world("deepspeed --include localhost:0,1 a.py") == "2");
  CHECK(world("deepspeed --include a:0,1@b:0,1,2 a.py") == "5");
  CHECK(world("deepspeed --num_nodes 2 --num_gpus 4 a.py") == "8");
  CHECK(world("deepspeed a.py") == "?");
  CHECK(world("NPROC_PER_NODE=4 swift sft --x 1") == "4");
  CHECK(world("export NPROC_PER_NODE=4\nexport NNODES=2\nswift sft --x 1") == "8");
  CHECK(world("NPROC_PER_NODE=4\nswift sft --x 1") == "?");
  CHECK(world("CUDA_VISIBLE_DEVICES=0 swift sft --x 1") == "1");
  CHECK(world("CUDA_VISIBLE_DEVICES=0,1 llamafactory-cli train a.yaml") == "2");
  CHECK(world("colossalai run --nproc_per_node 2 a.py") == "2");
  CHECK(world("colossalai run --nproc_per_node 2 --host a,b a.py") == "4");
  CHECK(world("composer -n 8 a.py") == "8");
  CHECK(world("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\nsrun python a.py") == "8");
  CHECK(world("CUDA_VISIBLE_DEVICES=3 python a.py") == "1");
  CHECK(world("python a.py") == "?");
}

TEST_CASE("shell: values point at their bytes") {
  CHECK(bytes_of("python train.py --bs 4", "bs") == "4");
  CHECK(bytes_of("python train.py --bs=4", "bs") == "4");
  CHECK(bytes_of("python train.py --bs '4'", "bs") == "'4'");
  CHECK(bytes_of("BS=4\npython train.py --bs $BS", "bs") == "$BS");
  CHECK(bytes_of("BS=4\npython train.py --bs=\"$BS\"", "bs") == "\"$BS\"");
  CHECK(bytes_of("python train.py --bf16 --x 1", "bf16") == "--bf16");
  CHECK(bytes_of("ARGS=\"--a 1 --b 2\"\npython train.py $ARGS", "b") == "2");
  CHECK(bytes_of("ARGS=(--a 1 --b \"2\")\npython train.py ${ARGS[@]}", "b") == "\"2\"");
}

TEST_CASE("shell: edits change one word") {
  const auto edited = [](std::string_view text, Field field, const Scalar& value) {
    return test::Reading(hf_trainer, "run.sh", text).spelled(field, value);
  };
  const std::int64_t two = 2;
  CHECK(edited("python t.py --per_device_train_batch_size 4 --x 1", Field::micro_batch, two) ==
        "python t.py --per_device_train_batch_size 2 --x 1");
  CHECK(edited("BS=4\npython t.py --per_device_train_batch_size $BS", Field::micro_batch, two) ==
        "BS=4\npython t.py --per_device_train_batch_size 2");
  CHECK(edited("A=\"--per_device_train_batch_size 4\"\npython t.py $A", Field::micro_batch, two) ==
        "A=\"--per_device_train_batch_size 2\"\npython t.py $A");
  CHECK(edited("python t.py --gradient_checkpointing False", Field::checkpointing, std::string("full")) ==
        "python t.py --gradient_checkpointing True");
  CHECK(edited("python t.py \\\n  --bf16 \\\n  --lr 1\n", Field::checkpointing, std::string("full")) ==
        "python t.py \\\n  --bf16 \\\n  --gradient_checkpointing \\\n  --lr 1\n");
  CHECK(edited("A=(\n  --lr 1\n)\npython t.py ${A[@]}", Field::accumulation, two) ==
        "A=(\n  --lr 1\n  --gradient_accumulation_steps 2\n)\npython t.py ${A[@]}");
  CHECK(edited("python t.py \\\n  --gradient_checkpointing \\\n  --lr 1\n", Field::checkpointing,
               std::string("none")) == "python t.py \\\n  --gradient_checkpointing false \\\n  --lr 1\n");
  // Megatron's switches take no value: off is to leave them out.
  CHECK(
      test::Reading(megatron_lm, "run.sh", "python pretrain_gpt.py \\\n  --sequence-parallel \\\n  --lr 1\n")
          .spelled(Field::sequence_parallel, false) == "python pretrain_gpt.py \\\n  --lr 1\n");
}

TEST_CASE("shell: half-typed scripts give what they can") {
  CHECK(first("python train.py --a 1 \\\n", "a") == "1");
  CHECK(first("python train.py --a 1 --b", "a") == "1");
  CHECK(first("python train.py --a 1 \\\n --b \"x", "a") == "1");
  CHECK(first("if [ $X ]; then\npython train.py --a 1\n", "a") == "1");
  CHECK(runs("python train.py --a 1\nARGS=(\n").size() == 1);
}

TEST_CASE("shell: hostile scripts end") {
  const std::vector<std::string> hostile{
      std::string(100'000, '"'),         std::string(100'000, '\''),
      std::string(100'000, '('),         std::string(100'000, '{'),
      std::string(100'000, '`'),         "python a.py --x " + std::string(100'000, '"'),
      "A=(" + std::string(100'000, '('), std::string(50'000, '$') + "{",
      "a" + std::string(100'000, '\\')};
  for (const std::string& text : hostile) {
    CHECK(runs(text).size() <= 1);
  }
  std::string bomb = "A=aaaaaaaaaaaaaaaa\n";
  for (int i = 0; i < 60; ++i) bomb += "A=$A$A\n";
  CHECK(first(bomb + "python train.py --a $A --b 1", "b") == "1");
  std::string nested = "python a.py --x 1\n";
  for (int i = 0; i < 5'000; ++i) nested = "if a; then\n" + nested + "fi\n";
  CHECK(runs(nested).size() <= 1);
}

}  // namespace oomlint
