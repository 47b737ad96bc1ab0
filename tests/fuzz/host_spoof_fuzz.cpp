// SPDX-License-Identifier: Apache-2.0
// Any bytes as a host: the report about it is valid text, and a name that the network knows is ASCII and is read back
// as shown.
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/display/host_spoof.hpp"
#include "security/punycode.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace countersign;
using namespace countersign::security;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    if (const auto decoded = punycode_decoded(text)) {
        require(decoded->size() <= limits::host_label_chars_max);
        const auto encoded = punycode_encoded(*decoded);
        if (encoded) require(punycode_decoded(*encoded) == decoded);
    }
    const auto found = suspect_host(text);
    if (!found) return 0;
    require(utf8::ascii_length(found->ascii) == found->ascii.size());
    require(found->looks_like.empty() || found->kind == SuspectHost::Kind::looks_alike);
    if (found->kind != SuspectHost::Kind::unreadable) require(utf8::valid(found->shown));
    const bool escapes = found->ascii.find('%') != std::string::npos;
    if (found->kind == SuspectHost::Kind::looks_alike && !found->ascii.empty() && !escapes) {
        const auto again = suspect_host(found->ascii);
        require(again && deceives(*again));
    }
    return 0;
}
