// SPDX-License-Identifier: Apache-2.0
// Shell text that is made to look secret: every word that a shell would execute, every host in it and the value of
// every variable that it executes are unchanged, no mask crosses a line, and redacting twice changes nothing. The input
// chooses the pieces; bytes after a zero are additional text.
#include "security/redact/redactor.hpp"
#include "tests/security/shell_commands.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace countersign::security;

namespace {

const Redactor& redactor() {
    static const Redactor one{Secret{std::string_view{"the key of the fuzzer's masks"}}, {}};
    return one;
}

void require(bool holds) {
    if (!holds) std::abort();
}

void check(const std::string& text) {
    const auto once = redactor().text(text);
    if (once.starts_with("«withheld: ")) return;
    require(redactor().text(once) == once);
    require(std::ranges::count(text, '\n') == std::ranges::count(once, '\n'));
    require(missing_command(text, once).empty());
}

void check_destination(const DestinationText& sample) {
    const auto once = redactor().text(sample.text);
    require(once.find(sample.host) != std::string::npos);
    require(redactor().text(once) == once);
}

void check_running(const RunningText& sample) {
    const auto once = redactor().text(sample.text);
    require(once.find(sample.command) != std::string::npos);
    require(redactor().text(once) == once);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* end = std::find(data, data + size, std::uint8_t{0});
    const std::string rest{reinterpret_cast<const char*>(end), static_cast<std::size_t>(data + size - end)};
    const auto* at = data;
    const auto next = [&](std::size_t bound) { return at < end ? std::size_t{*at++} % bound : 0; };
    const auto pieces = static_cast<std::size_t>(end - data) / 2;
    check(hostile_text(next, pieces) + rest.substr(std::min<std::size_t>(rest.size(), 1)));
    at = data;
    check_destination(destination_text(next));
    at = data;
    check_running(running_text(next));
    return 0;
}
