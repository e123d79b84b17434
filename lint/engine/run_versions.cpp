#include "lint/engine/run_versions.h"

#include "lint/catalog/catalog.h"

#include <utility>
#include <vector>

namespace oomlint {

namespace {

Origin origin(OriginKind kind, std::string note) {
  return Origin{kind, no_file, {}, {}, std::move(note)};
}

void fill(Versions& versions, const CurrentReleases& releases, const Origin& from) {
  const auto low = parse_version(releases.oldest);
  const auto high = parse_version(releases.newest);
  if (low && high) versions.fill(std::string(releases.package), {*low, *high, from});
}

void fill(Versions& versions, const Pin& pin) {
  const Origin from = origin(OriginKind::derived, pin.file + ": " + pin.text);
  if (pin.exact) {
    versions.fill(pin.package, {*pin.exact, *pin.exact, from});
  } else if (const auto releases = releases_within(pin.package, pin.at_least, pin.below)) {
    fill(versions, *releases, from);
  }
}

}  // namespace

Versions resolve_versions(const Settings& settings, std::span<const Pin> pins) {
  Versions versions;
  for (const auto& [package, text] : settings.versions) {
    if (const auto version = parse_version(text))
      versions.set(package, {*version, *version, origin(OriginKind::policy, "settings")});
  }
  for (const Assignment& assumption : settings.assumed) {
    if (assumption.field != Field::framework_date) continue;
    const std::string date = to_string(assumption.value);
    const Origin from = origin(OriginKind::assumed, "releases of " + date);
    for (const CurrentReleases& releases : releases_of(date)) fill(versions, releases, from);
  }
  for (const Pin& pin : pins) fill(versions, pin);
  const Origin recent = origin(OriginKind::inferred, "the releases of the last twelve months known");
  for (const CurrentReleases& releases : recent_releases()) fill(versions, releases, recent);
  return versions;
}

}  // namespace oomlint
