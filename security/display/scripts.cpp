// SPDX-License-Identifier: Apache-2.0
#include "security/display/scripts.hpp"

#include "security/display/characters.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace countersign::security {
namespace {

enum class Script { separator, common, latin, greek, cyrillic, armenian, cherokee, coptic, lisu, dressed };

struct ScriptRange {
    char32_t first;
    char32_t last;
    Script script;
};

// A character outside all ranges doesn't end a word and mixes with every script.
constexpr std::array script_ranges = std::to_array<ScriptRange>({
    {0x0000, 0x002F, Script::separator}, {0x003A, 0x0040, Script::separator},  {0x0041, 0x005A, Script::latin},
    {0x005B, 0x0060, Script::separator}, {0x0061, 0x007A, Script::latin},      {0x007B, 0x00A9, Script::separator},
    {0x00AB, 0x00B4, Script::separator}, {0x00B5, 0x00B5, Script::greek},      {0x00B6, 0x00B9, Script::separator},
    {0x00BB, 0x00BF, Script::separator}, {0x00C0, 0x00D6, Script::latin},      {0x00D7, 0x00D7, Script::separator},
    {0x00D8, 0x00F6, Script::latin},     {0x00F7, 0x00F7, Script::separator},  {0x00F8, 0x02AF, Script::latin},
    {0x0370, 0x03E1, Script::greek},     {0x03E2, 0x03EF, Script::coptic},     {0x03F0, 0x03FF, Script::greek},
    {0x0400, 0x052F, Script::cyrillic},  {0x0531, 0x058F, Script::armenian},   {0x13A0, 0x13FF, Script::cherokee},
    {0x1C80, 0x1C8F, Script::cyrillic},  {0x1D00, 0x1D25, Script::latin},      {0x1D26, 0x1D2A, Script::greek},
    {0x1D2B, 0x1D2B, Script::cyrillic},  {0x1D2C, 0x1DBF, Script::latin},      {0x1E00, 0x1EFF, Script::latin},
    {0x1F00, 0x1FFF, Script::greek},     {0x2000, 0x206F, Script::separator},  {0x2100, 0x218F, Script::dressed},
    {0x2190, 0x245F, Script::separator}, {0x2460, 0x24FF, Script::dressed},    {0x2500, 0x2BFF, Script::separator},
    {0x2C60, 0x2C7F, Script::latin},     {0x2C80, 0x2CFF, Script::coptic},     {0x2DE0, 0x2DFF, Script::cyrillic},
    {0x2E00, 0x2E7F, Script::separator}, {0x3000, 0x3004, Script::separator},  {0x3008, 0x3020, Script::separator},
    {0xA4D0, 0xA4FF, Script::lisu},      {0xA640, 0xA69F, Script::cyrillic},   {0xA720, 0xA7FF, Script::latin},
    {0xAB30, 0xAB64, Script::latin},     {0xAB65, 0xAB65, Script::greek},      {0xAB70, 0xABBF, Script::cherokee},
    {0xFB00, 0xFB06, Script::dressed},   {0xFB13, 0xFB17, Script::armenian},   {0xFF10, 0xFF19, Script::dressed},
    {0xFF21, 0xFF3A, Script::dressed},   {0xFF41, 0xFF5A, Script::dressed},    {0x11FB0, 0x11FB0, Script::lisu},
    {0x1D400, 0x1D7FF, Script::dressed}, {0x1E030, 0x1E08F, Script::cyrillic}, {0x1F100, 0x1F1AF, Script::dressed},
});

Script script_of(char32_t code) {
    const auto after = std::ranges::upper_bound(script_ranges, code, {}, &ScriptRange::first);
    if (after == script_ranges.begin()) return Script::common;
    const auto& range = *std::prev(after);
    return code <= range.last ? range.script : Script::common;
}

}  // namespace

bool mixed_script(std::string_view text) {
    auto word = Script::common;
    for (std::size_t at = 0; at < text.size();) {
        const auto character = character_at(text, at);
        at += character.bytes;
        // An invisible character must not split a word in two.
        if (!character.valid || (hidden(character.code) && !odd_space(character.code) && character.code > 0x7F))
            continue;
        const auto script = script_of(character.code);
        if (script == Script::common) continue;
        if (script != Script::separator && word != Script::common && script != word) return true;
        word = script == Script::separator ? Script::common : script;
    }
    return false;
}

}  // namespace countersign::security
