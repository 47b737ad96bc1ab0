// SPDX-License-Identifier: Apache-2.0
// Any bytes at all: nothing is lost, nothing invisible is left, and a line remains one line.
#include "security/display/characters.hpp"
#include "security/display/display.hpp"
#include "security/display/scripts.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace countersign::security;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void check(std::string_view text, DisplayMode mode) {
    const auto shown = display(text, mode);
    require(undisplay(shown) == text);
    for (std::size_t at = 0; at < shown.size();) {
        const auto character = character_at(shown, at);
        require(character.valid);
        require(!hidden(character.code) || (character.code == '\n' && mode == DisplayMode::block));
        at += character.bytes;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    check(text, DisplayMode::block);
    check(text, DisplayMode::line);
    static_cast<void>(undisplay(text));
    static_cast<void>(mixed_script(text));
    return 0;
}
