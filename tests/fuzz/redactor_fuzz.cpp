// SPDX-License-Identifier: Apache-2.0
// Any text at all: redacting twice changes nothing, and a secret that the daemon knows never appears in the output, at
// any position in the text and in any encoding.
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "security/encoding.hpp"
#include "security/redact/redactor.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace countersign;
using namespace countersign::security;

namespace {

constexpr std::string_view canary = "Canary/7f3Q+zX91=kLm2";

const Redactor& redactor() {
    static const Redactor one{Secret{std::string_view{"the key of the fuzzer's masks"}}, {{std::string{canary}}}};
    return one;
}

void require(bool holds) {
    if (!holds) std::abort();
}

void check_text(const std::string& text) {
    const auto once = redactor().text(text);
    require(redactor().text(once) == once);
    require(once.size() <= limits::redact_bytes_max);
}

void check_canary(std::string text, std::size_t at) {
    const std::array<std::string, 4> forms{std::string{canary}, base64(canary), base64url(canary), hex(canary)};
    const auto& form = forms[at % forms.size()];
    text.insert(at % (text.size() + 1), form);
    require(redactor().text(text).find(form) == std::string::npos);
}

void check_json(std::string_view text) {
    const auto document = json::read(text);
    if (!document) return;
    const auto once = redactor().value(document->value);
    require(redactor().value(once) == once);
    require(json::canonical(once).find(canary) == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    check_text(text);
    if (size > 2) check_canary(text.substr(2), data[0] * 256U + data[1]);
    check_json(text);
    return 0;
}
