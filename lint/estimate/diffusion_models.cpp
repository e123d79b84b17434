#include "lint/estimate/diffusion_models.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace oomlint {

namespace {

using Names = std::string_view;

constexpr DiffusionModule square(std::string_view name, std::uint32_t width) {
  return {name, width, width};
}
template <std::uint32_t width>
constexpr DiffusionModule attention[] = {square("to_q", width), square("to_k", width), square("to_v", width),
                                         square("to_out.0", width)};
template <std::uint32_t width>
constexpr DiffusionModule query_key_value[] = {square("to_q", width), square("to_k", width),
                                               square("to_v", width)};
constexpr DiffusionModule klein_double[] = {square("to_q", 3072),          square("to_k", 3072),
                                            square("to_v", 3072),          square("to_out.0", 3072),
                                            square("add_q_proj", 3072),    square("add_k_proj", 3072),
                                            square("add_v_proj", 3072),    square("to_add_out", 3072),
                                            {"linear_in", 3072, 18432, 2}, {"linear_out", 9216, 3072, 2}};
constexpr DiffusionModule klein_single[] = {{"to_qkv_mlp_proj", 3072, 27648}, {"to_out", 12288, 3072}};

constexpr Names flux_names[] = {"flux.1", "flux1", "flux-dev", "flux"};
constexpr Names klein_names[] = {"flux.2-klein-base-4b", "flux.2-klein-4b", "flux2-klein-4b"};
constexpr Names sd3_medium_names[] = {"stable-diffusion-3-medium"};
constexpr Names sd35_large_names[] = {"stable-diffusion-3.5-large"};
constexpr Names cog2_names[] = {"cogvideox-2b"};
constexpr Names cog5_names[] = {"cogvideox-5b", "cogvideox1.5-5b"};
constexpr Names ltx_names[] = {"ltx-video", "ltxv-2b", "ltxvideo"};
constexpr Names wan14_names[] = {"wan2.1-t2v-14b", "wan2.1-14b"};
constexpr Names wan1_names[] = {"wan2.1-t2v-1.3b"};
constexpr Names hunyuan_names[] = {"hunyuanvideo"};
constexpr Names qwen_names[] = {"qwen-image"};
constexpr Names chroma_names[] = {"chroma"};

constexpr std::uint64_t t5_xxl = 4'762'310'656;
constexpr std::uint64_t umt5_xxl = 5'680'910'336;

// Saved bytes counted in fake-tensor runs of diffusers 0.42.1 and torch 2.15 with flash attention; parameters
// of the classes built without data.
// clang-format off
constexpr DiffusionModel models[] = {
    {.names = flux_names, .hidden = 3072, .parameters = 11'901'408'320,
     .blocks = {{{19, 339'831'296, {401, 261, 441, 621, 621}, {321, 241, 441, 621, 621}, attention<3072>},
                 {38, 141'591'808, {341, 241, 381, 521, 521}, {341, 241, 381, 521, 521}, query_key_value<3072>}}},
     .text_tokens = 512, .frame_group = 0, .in_flight = 860,
     .text_encoder = t5_xxl + 123'060'480, .autoencoder = 83'800'000},
    {.names = klein_names, .hidden = 3072, .parameters = 3'875'544'576,
     .blocks = {{{5, 245'367'296, {501, 361, 521, 701, 701}, {421, 341, 521, 701, 701}, klein_double},
                 {20, 122'683'648, {421, 321, 461, 581, 581}, {421, 321, 461, 581, 581}, klein_single}}},
     .text_tokens = 512, .frame_group = 0, .in_flight = 901},
    {.names = sd3_medium_names, .hidden = 1536, .parameters = 2'028'328'000,
     .blocks = {{{24, 85'000'000, {322, 242, 421, 541, 541}, {241, 221, 421, 541, 541}, attention<1536>}, {}}},
     .text_tokens = 333, .frame_group = 0, .in_flight = 520,
     .text_encoder = t5_xxl + 123'060'480 + 694'659'840, .autoencoder = 83'800'000},
    {.names = sd35_large_names, .hidden = 2432, .parameters = 8'056'627'520,
     .blocks = {{{38, 213'000'000, {442, 362, 582, 702, 742}, {362, 342, 582, 702, 742}, attention<2432>}, {}}},
     .text_tokens = 333, .frame_group = 0, .in_flight = 640,
     .text_encoder = t5_xxl + 123'060'480 + 694'659'840, .autoencoder = 83'800'000},
    {.names = cog2_names, .hidden = 1920, .parameters = 1'693'783'872,
     .blocks = {{{30, 56'081'536, {404, 284, 463, 623, 623}, {404, 284, 463, 623, 623}, attention<1920>}, {}}},
     .text_tokens = 226, .in_flight = 525, .text_encoder = t5_xxl, .autoencoder = 215'583'907,
     .buffer_bytes = 273'039'360},
    {.names = cog5_names, .hidden = 3072, .parameters = 5'570'283'072,
     .blocks = {{{42, 132'197'632, {404, 284, 463, 623, 623}, {404, 284, 463, 623, 623}, attention<3072>}, {}}},
     .text_tokens = 226, .in_flight = 525, .text_encoder = t5_xxl, .autoencoder = 215'583'907},
    {.names = ltx_names, .hidden = 2048, .parameters = 1'923'385'472,
     .blocks = {{{28, 67'155'968, {562, 422, 601, 701, 741}, {121, 61, 60, 80, 80}, attention<2048>}, {}}},
     .text_tokens = 128, .joint = false, .pixels = 32, .frame_group = 8, .in_flight = 710,
     .text_encoder = t5_xxl, .autoencoder = 419'193'649},
    {.names = wan14_names, .hidden = 5120, .parameters = 14'288'491'584,
     .blocks = {{{40, 351'400'000, {535, 395, 609, 709, 709}, {120, 60, 60, 80, 80}, attention<5120>}, {}}},
     .text_tokens = 512, .joint = false, .in_flight = 730, .text_encoder = umt5_xxl, .autoencoder = 126'892'531},
    {.names = wan1_names, .hidden = 1536, .parameters = 1'418'996'800,
     .blocks = {{{30, 46'400'000, {599, 459, 734, 834, 834}, {120, 60, 60, 80, 80}, attention<1536>}, {}}},
     .text_tokens = 512, .joint = false, .in_flight = 730, .text_encoder = umt5_xxl, .autoencoder = 126'892'531},
    {.names = hunyuan_names, .hidden = 3072, .parameters = 12'821'012'544,
     .blocks = {{{20, 339'800'000, {441, 341, 561, 681, 741}, {361, 321, 561, 681, 741}, attention<3072>},
                 {40, 141'600'000, {381, 321, 521, 601, 641}, {381, 321, 521, 601, 641}, query_key_value<3072>}}},
     .text_tokens = 256, .in_flight = 700, .autoencoder = 246'478'803},
    {.names = qwen_names, .hidden = 3072, .parameters = 20'430'401'088,
     .blocks = {{{60, 339'800'000, {441, 341, 561, 681, 741}, {361, 321, 561, 681, 741}, attention<3072>}, {}}},
     .text_tokens = 1024, .frame_group = 0, .in_flight = 700,
     .text_encoder = 8'292'166'656, .autoencoder = 126'892'531},
    {.names = chroma_names, .hidden = 3072, .parameters = 8'900'000'000,
     .blocks = {{{19, 226'500'000, {401, 261, 441, 621, 621}, {321, 241, 441, 621, 621}, attention<3072>},
                 {38, 113'300'000, {341, 241, 381, 521, 521}, {341, 241, 381, 521, 521}, query_key_value<3072>}}},
     .text_tokens = 512, .frame_group = 0, .in_flight = 860, .text_encoder = t5_xxl, .autoencoder = 83'800'000},
};
// clang-format on

constexpr Names module_names[] = {
    "to_q",       "to_k",       "to_v",      "to_out.0",   "add_q_proj",      "add_k_proj",
    "add_v_proj", "to_add_out", "linear_in", "linear_out", "to_qkv_mlp_proj", "to_out"};

}  // namespace

std::uint32_t diffusion_module_bit(std::string_view name) {
  const auto found = std::find(std::begin(module_names), std::end(module_names), name);
  return found == std::end(module_names) ? 0 : 1U << (found - std::begin(module_names));
}

const DiffusionModel* find_diffusion_model(std::string_view id) {
  std::string name(id);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const DiffusionModel* best = nullptr;
  std::size_t longest = 0;
  for (const DiffusionModel& model : models) {
    for (const std::string_view part : model.names) {
      if (part.size() > longest && name.find(part) != std::string::npos) {
        best = &model;
        longest = part.size();
      }
    }
  }
  return best;
}

}  // namespace oomlint
