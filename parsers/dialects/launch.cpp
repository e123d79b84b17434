#include "lint/dialect/dialect.h"
#include "parsers/dialects/shared/conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

/// How a command is started: the number of processes and nodes, by launcher. Reads the launch tree of a
/// script's document, never a file. Sources: torch 2.8 distributed/run.py, DeepSpeed 0.17 launcher/runner.py,
/// ColossalAI 0.5 cli/launcher, composer 0.30 cli/launcher.py, ms-swift 3.8 cli/main.py, LLaMA-Factory 0.9.3
/// cli.py, xtuner 0.2 entry_point.py.
namespace oomlint {

namespace {

/// A number that a launch states: absent, known, or written and unknown.
struct Stated {
  NodeId node = no_node;
  std::optional<std::int64_t> value;

  [[nodiscard]] bool given() const { return node != no_node; }
};

struct Launch {
  Stated per_node;
  Stated nodes;
  Stated total;
};

std::int64_t listed(std::string_view list) {
  if (list.empty()) return 0;
  return 1 + std::count(list.begin(), list.end(), ',');
}

Stated stated(const ReadContext& context, std::string_view path) {
  return {context.find(path), context.count(path)};
}

/// The first of the paths that is there.
Stated first_of(const ReadContext& context, std::initializer_list<std::string_view> paths) {
  for (const std::string_view path : paths) {
    if (Stated found = stated(context, path); found.given()) return found;
  }
  return {};
}

/// The devices that the processes may see, where the command or the script says so.
Stated visible(const ReadContext& context) {
  for (const std::string_view path :
       {"environment.CUDA_VISIBLE_DEVICES", "environment.ASCEND_RT_VISIBLE_DEVICES"}) {
    const NodeId node = context.find(path);
    if (node == no_node) continue;
    const auto list = context.text(path);
    return {node, list ? std::optional(listed(*list)) : std::nullopt};
  }
  return {};
}

Launch torchrun(const ReadContext& context) {
  Launch launch;
  launch.per_node = first_of(context, {"torchrun.nproc_per_node", "environment.PET_NPROC_PER_NODE"});
  const std::string word = context.text("torchrun.nproc_per_node").value_or("");
  if (word == "gpu" || word == "auto") launch.per_node.value = visible(context).value;
  launch.nodes = first_of(context, {"torchrun.nnodes", "environment.PET_NNODES"});
  return launch;
}

Launch deepspeed_launch(const ReadContext& context) {
  Launch launch;
  launch.per_node = first_of(context, {"deepspeed.num_gpus", "deepspeed.num_accelerators"});
  launch.nodes = stated(context, "deepspeed.num_nodes");
  for (const std::string_view path : {"deepspeed.include", "deepspeed.i"}) {
    const auto hosts = context.text(path);
    if (!hosts) continue;
    // host:0,1@host:0,1; a host without slots has all of its.
    launch.total.node = context.find(path);
    std::int64_t sum = 0;
    bool complete = true;
    std::string_view rest = *hosts;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('@'), rest.size());
      const std::size_t colon = rest.substr(0, end).find(':');
      complete = complete && colon != std::string_view::npos;
      if (complete) sum += listed(rest.substr(colon + 1, end - colon - 1));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (complete && sum > 0) launch.total.value = sum;
    return launch;
  }
  if (!launch.per_node.given()) launch.per_node = visible(context);
  // Without either the hostfile decides, or all devices of this machine.
  if (!launch.per_node.given()) launch.per_node.node = context.find("deepspeed");
  const NodeId hosts = context.find("deepspeed.hostfile");
  if (!launch.nodes.given() && hosts != no_node) launch.nodes.node = hosts;
  return launch;
}

Launch colossalai_launch(const ReadContext& context) {
  Launch launch;
  launch.per_node = stated(context, "colossalai.nproc_per_node");
  launch.nodes = stated(context, "colossalai.num_nodes");
  if (launch.nodes.given()) return launch;
  if (const auto hosts = context.text("colossalai.host")) {
    launch.nodes = {context.find("colossalai.host"), listed(*hosts)};
  } else {
    launch.nodes = {context.find("colossalai.hostfile"), std::nullopt};
  }
  return launch;
}

Launch composer_launch(const ReadContext& context) {
  Launch launch;
  launch.total = stated(context, "composer.world_size");
  launch.per_node = first_of(context, {"composer.n", "composer.nproc"});
  if (!launch.per_node.given()) launch.per_node = visible(context);
  if (!launch.per_node.given()) launch.per_node.node = context.find("composer");
  return launch;
}

/// Tools that start torchrun themselves when the environment asks for it.
Launch by_environment(const ReadContext& context, bool all_visible) {
  Launch launch;
  launch.per_node = stated(context, "environment.NPROC_PER_NODE");
  launch.nodes = first_of(context, {"environment.NNODES"});
  const Stated devices = visible(context);
  if (!launch.per_node.given() && (all_visible || devices.value == 1)) launch.per_node = devices;
  return launch;
}

/// One process a task, where nothing else starts processes.
Launch slurm(const ReadContext& context) {
  Launch launch;
  launch.total = first_of(context, {"srun.ntasks", "srun.n", "batch.ntasks"});
  launch.per_node = first_of(context, {"srun.ntasks_per_node", "batch.ntasks_per_node"});
  launch.nodes = first_of(context, {"srun.nodes", "srun.N", "batch.nodes"});
  if (launch.per_node.given()) launch.total = {};
  return launch;
}

Launch launch_of(const ReadContext& context) {
  const std::string program = context.text("program").value_or("");
  if (context.has("torchrun")) return torchrun(context);
  if (context.has("deepspeed")) return deepspeed_launch(context);
  if (context.has("colossalai")) return colossalai_launch(context);
  if (context.has("composer")) return composer_launch(context);
  if (program.starts_with("llamafactory-cli ") || program.starts_with("lmf "))
    return by_environment(context, true);
  if (program.starts_with("swift ") || program.starts_with("megatron ") || program.starts_with("xtuner "))
    return by_environment(context, false);
  if (context.has("accelerate")) {
    Launch launch;
    const auto ids = context.text("accelerate.gpu_ids");
    if (ids && *ids != "all" && !context.has("accelerate.num_processes"))
      launch.total = {context.find("accelerate.gpu_ids"), listed(*ids)};
    return launch;
  }
  if (context.has("srun")) return slurm(context);
  Launch launch;
  if (const Stated devices = visible(context); devices.value == 1) launch.total = devices;
  return launch;
}

std::string with_unit(std::int64_t count, std::string_view unit) {
  return std::to_string(count) + " " + std::string(unit);
}

void finish(const ReadContext& context, Layer& layer) {
  const Launch launch = launch_of(context);
  const auto add = [&](Field field, Scalar value, Origin origin) {
    layer.assignments.push_back({field, std::move(value), std::move(origin)});
  };
  if (launch.nodes.given()) {
    add(Field::nodes, launch.nodes.value ? Scalar(*launch.nodes.value) : Scalar(),
        context.origin_of(launch.nodes.node));
  }
  if (launch.total.given()) {
    add(Field::world, launch.total.value ? Scalar(*launch.total.value) : Scalar(),
        context.origin_of(launch.total.node));
    return;
  }
  if (!launch.per_node.given() && !launch.nodes.given()) {
    // torchrun's own default.
    if (context.has("torchrun"))
      add(Field::world, std::int64_t{1},
          context.origin_of(context.find("torchrun"), OriginKind::framework_default, "one process"));
    return;
  }
  const NodeId place = launch.per_node.given() ? launch.per_node.node : launch.nodes.node;
  const std::optional<std::int64_t> each =
      launch.per_node.given() ? launch.per_node.value : std::optional<std::int64_t>(1);
  const std::optional<std::int64_t> nodes =
      launch.nodes.given() ? launch.nodes.value : std::optional<std::int64_t>(1);
  if (!each || !nodes || *each <= 0 || *nodes <= 0 || *each > 4096 || *nodes > 65536) {
    add(Field::world, Scalar(), context.origin_of(place));
  } else if (*nodes == 1) {
    add(Field::world, *each, context.origin_of(place));
  } else {
    add(Field::world, *each * *nodes,
        context.origin_of(place, OriginKind::derived,
                          with_unit(*each, "processes a node") + " × " + with_unit(*nodes, "nodes")));
  }
}

constexpr std::array<Companion, 2> companions{{
    {.path = "accelerate.config_file", .dialect = "accelerate"},
    {.path = "accelerate", .dialect = "accelerate", .inline_allowed = true},
}};
constexpr std::array<std::string_view, 1> never{"\n"};

}  // namespace

extern constinit const Dialect launch{
    .name = "launch",
    .title = "the launcher",
    .package = "",
    .stack = "textbook",
    .recognise = {.all_of = never, .bytes = never},
    .companions = companions,
    .precedence = Precedence::launcher,
    .finish = finish,
    .companion_only = true,
};

}  // namespace oomlint
