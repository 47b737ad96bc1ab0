// SPDX-License-Identifier: Apache-2.0
#include "core/channel_kind.hpp"

#include <algorithm>

namespace countersign {

std::string example_path(std::string_view setting) {
    return "\"/etc/countersign/" + std::string{setting.substr(0, setting.rfind("_file"))} + "\"";
}

std::string write_file(std::string_view setting) {
    return "write " + std::string{setting} + " = " + example_path(setting) + ", the file mode 0600";
}

std::optional<std::string> integer_between(const WrittenId& id, std::int64_t least, std::int64_t most) {
    if (id.integer == nullptr || *id.integer < least || *id.integer > most) return std::nullopt;
    return std::to_string(*id.integer);
}

std::optional<std::string> text_if(const WrittenId& id, bool (*fits)(std::string_view)) {
    return id.text != nullptr && fits(*id.text) ? std::optional{*id.text} : std::nullopt;
}

bool is_digits(std::string_view text, std::size_t least, std::size_t most) {
    return text.size() >= least && text.size() <= most &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_phone_number(std::string_view text) {
    return text.size() > 1 && text[0] == '+' && text[1] != '0' && is_digits(text.substr(1), 7, 15);
}

}  // namespace countersign
