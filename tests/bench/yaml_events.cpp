// yaml-cpp's event reader alone over the files on standard input, one path a line: the floor that speed.py
// holds `oomlint check` against.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>

namespace {

class Counter : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& /*mark*/) override { ++events; }
  void OnDocumentEnd() override { ++events; }
  void OnNull(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override { ++events; }
  void OnAlias(const YAML::Mark& /*mark*/, YAML::anchor_t /*anchor*/) override { ++events; }
  void OnScalar(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {
    ++events;
  }
  void OnSequenceStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    ++events;
  }
  void OnSequenceEnd() override { ++events; }
  void OnMapStart(const YAML::Mark& /*mark*/, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    ++events;
  }
  void OnMapEnd() override { ++events; }

  std::size_t events = 0;
};

}  // namespace

int main() {
  Counter counter;
  std::string path;
  std::size_t files = 0;
  while (std::getline(std::cin, path)) {
    std::ifstream in(path, std::ios::binary);
    std::istringstream text(
        std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>()));
    ++files;
    try {
      YAML::Parser parser(text);
      while (parser.HandleNextDocument(counter)) {
      }
    } catch (const std::exception&) {  // what the reader refuses costs what it costs up to there
    }
  }
  std::cout << files << " files, " << counter.events << " events\n";
}
