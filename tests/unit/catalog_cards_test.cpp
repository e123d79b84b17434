#include "lint/catalog/catalog.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace oomlint;

namespace {
std::string key_of(std::string_view name) {
  std::string why;
  const auto card = find_card(name, {}, why);
  return card ? card->key : "(" + why + ")";
}
}  // namespace

TEST_CASE("every card is found by its key and its name") {
  const std::vector<Card> cards = all_cards();
  CHECK(cards.size() == 139);
  for (const Card& card : cards) {
    CAPTURE(card.key);
    CHECK(key_of(card.key) == card.key);
    CHECK(key_of(card.name) == card.key);
    CHECK(card.capacity.count() > 0);
  }
  CHECK(std::is_sorted(cards.begin(), cards.end(), [](const Card& a, const Card& b) {
    return std::tie(a.capacity, a.name) < std::tie(b.capacity, b.name);
  }));
}

TEST_CASE("cards under the names that drivers, clouds and schedulers use") {
  const std::pair<const char*, const char*> cases[] = {
      {"NVIDIA A100-SXM4-80GB", "a100-80-sxm"},
      {"A100-80GB", "a100-80-sxm"},
      {"a100_80gb", "a100-80-sxm"},
      {"A100 80GB PCIe", "a100-80-pcie"},
      {"NVIDIA-H100-80GB-HBM3", "h100-sxm"},
      {"h100", "h100-sxm"},
      {"H100-NVL", "h100-nvl"},
      {"nvidia_b200", "b200"},
      {"RTX 4090", "rtx-4090"},
      {"4090", "rtx-4090"},
      {"4x4090", "rtx-4090"},
      {"4090 x4", "rtx-4090"},
      {"H100:8", "h100-sxm"},
      {"8xH100", "h100-sxm"},
      {"3090", "rtx-3090"},
      {"nvidia-tesla-t4", "t4"},
      {"NVIDIA GeForce RTX 3090 Ti", "rtx-3090-ti"},
      {"RTX 6000", "quadro-rtx-6000"},
      {"RTX A6000", "rtx-a6000"},
      {"RTX 6000 Ada", "rtx-6000-ada"},
      {"RTX PRO 6000", "rtx-pro-6000"},
      {"GH200 480GB", "gh200-96"},
      {"MI300X", "mi300x"},
      {"v100 32gb", "v100-32"},
      {"V100-SXM2-32GB", "v100-32"},
      {"L40S", "l40s"},
      {"A10", "a10"},
      {"A10G", "a10g"},
      {"L4", "l4"},
      {"L40", "l40"},
      {"H20", "h20"},
      {"H200", "h200"},
      {"GB200", "gb200"},
      {"B200", "b200"},
  };
  for (const auto& [name, key] : cases) {
    CAPTURE(name);
    CHECK(key_of(name) == key);
  }
}

TEST_CASE("an ambiguous name means the smallest memory") {
  CHECK(key_of("A100") == "a100-40-sxm");
  CHECK(key_of("V100") == "v100-16");
  CHECK(key_of("RTX 3080") == "rtx-3080-10");
  CHECK(key_of("RTX 4060 Ti") == "rtx-4060-ti-8");
  CHECK(key_of("RTX 5060 Ti") == "rtx-5060-ti-8");
  CHECK(key_of("NVIDIA GeForce RTX 2060") == "rtx-2060");
}

TEST_CASE("keys that measured runs are compared with") {
  for (const char* key : {"a100-80-sxm",  "a100-40-sxm",  "a800-80",
                          "h100-sxm",     "h800",         "h200",
                          "h20",          "gb200",        "gb300",
                          "b200",         "b300",         "l40s",
                          "l40",          "l20",          "a10g",
                          "a10",          "rtx-a6000",    "a40",
                          "v100-32",      "v100-16",      "t4",
                          "rtx-6000-ada", "rtx-pro-6000", "rtx-4070-ti-super",
                          "rtx-3090-ti",  "rtx-3090",     "rtx-4090",
                          "rtx-5090",     "rtx-3080-ti",  "rtx-3080-10",
                          "rx-7900-xtx",  "titan-rtx",    "quadro-rtx-8000"}) {
    CHECK(key_of(key) == key);
  }
  CHECK(key_of("95GiB") == "95GiB");
}

TEST_CASE("a size is the smallest card sold with it, or exactly that many bytes") {
  std::string why;
  CHECK(find_card("24GiB", {}, why)->capacity == Bytes(24ULL << 30));
  CHECK(find_card("23.5GiB", {}, why)->capacity == Bytes(25232932864));
  CHECK(find_card("24GB", {}, why)->capacity == find_card("a10", {}, why)->capacity);
  CHECK(find_card("16 gb", {}, why)->capacity == find_card("t4", {}, why)->capacity);
  CHECK(find_card("80GB", {}, why)->capacity == find_card("h100-sxm", {}, why)->capacity);
  CHECK(find_card("16GB", {}, why)->has_bf16);  // a size says nothing about what the card can do
  CHECK_FALSE(find_card("25GB", {}, why).has_value());
  CHECK(why ==
        "no card is sold with 25GB; write 25GiB for exactly that much usable memory, or the next size sold, "
        "32GB");
  CHECK_FALSE(find_card("0GB", {}, why).has_value());
  CHECK_FALSE(find_card("1e300GiB", {}, why).has_value());
  CHECK_FALSE(find_card("nanGiB", {}, why).has_value());
}

TEST_CASE("what an unknown name is near") {
  CHECK(key_of("H10O") == "(there is no card `H10O`; did you mean `h100-sxm`?)");
  CHECK(key_of("rtx-4009") == "(there is no card `rtx-4009`; did you mean `rtx-4090`?)");
  CHECK(key_of("A100-64GB").find("of that name there are a100-40") != std::string::npos);
  CHECK(key_of("quantum-abacus") == "(there is no card `quantum-abacus`)");
  CHECK(key_of("") == "(there is no card ``)");
}

TEST_CASE("capacity and abilities") {
  std::string why;
  CHECK(find_card("t4", {}, why)->capacity.gib() == doctest::Approx(14.563));
  CHECK_FALSE(find_card("t4", {}, why)->has_bf16);
  CHECK_FALSE(find_card("v100-16", {}, why)->has_flash);
  CHECK(find_card("a100-80-sxm", {}, why)->has_bf16);
  CHECK_FALSE(find_card("a100-80-sxm", {}, why)->has_fp8);
  CHECK(find_card("rtx-4090", {}, why)->has_fp8);
  CHECK(find_card("a100-80-sxm", {}, why)->peak_flops_16bit == doctest::Approx(312e12));
  CHECK(find_card("a100-80-sxm", {}, why)->measured_flops_16bit == doctest::Approx(271.2e12));
  CHECK(find_card("v100-16", {}, why)->peak_flops_16bit > 100e12);
  CHECK(find_card("mi300x", {}, why)->vendor == "amd");
  CHECK(largest_capacity() == find_card("mi355x", {}, why)->capacity);
}

TEST_CASE("typical cards grow in memory") {
  const std::vector<Card> cards = typical_cards();
  CHECK(cards.size() == 8);
  for (std::size_t i = 1; i < cards.size(); ++i) CHECK(cards[i - 1].capacity < cards[i].capacity);
}

TEST_CASE("instances of the clouds") {
  const auto p4d = find_instance("p4d.24xlarge");
  REQUIRE(p4d.has_value());
  CHECK(p4d->card.key == "a100-40-sxm");
  CHECK(p4d->count == 8);
  CHECK(find_instance("ml.p4d.24xlarge")->card.key == "a100-40-sxm");
  CHECK(find_instance("standard_nd96isr_h100_v5")->count == 8);
  CHECK(find_instance("a2-ultragpu-8g")->card.key == "a100-80-sxm");
  CHECK_FALSE(find_instance("m5.large").has_value());
  CHECK_FALSE(find_instance("ml.").has_value());
}

TEST_CASE("the user's cards come first") {
  Overlay overlay;
  overlay.cards.push_back({.key = "h100", .name = "Our H100", .capacity = Bytes(70)});
  std::string why;
  CHECK(find_card("H100", overlay, why)->capacity == Bytes(70));
  CHECK(find_card("our h100", overlay, why)->capacity == Bytes(70));
}
