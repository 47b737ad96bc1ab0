// SPDX-License-Identifier: Apache-2.0
// Text as Telegram takes it: characters and, beside them, which of them are bold or code. Nothing in it is parsed, so
// no text of an agent can become a link, a mention or a style.
//
// Telegram still looks for links, mentions and commands in what is not code. So everything that others wrote goes into
// a code or pre entity; only our own words stand outside.
#pragma once

#include "channels/phrase.hpp"
#include "channels/text_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::telegram {

// Telegram counts UTF-16 code units, and drops three marks without a word (U+030A, U+0333, U+033F).
inline constexpr TextRules text_rules{
    .drops = [](char32_t code) { return code == 0x30A || code == 0x333 || code == 0x33F; }};

struct Entity {
    std::string type;  // "bold", "code", "pre", "text_mention"
    std::size_t offset = 0;
    std::size_t length = 0;
    std::string language = {};  // of a pre
    std::int64_t user = 0;      // of a text_mention
    std::string name = {};      // of that user, as we know them
    friend bool operator==(const Entity&, const Entity&) = default;
};

class StyledText {
public:
    StyledText& plain(std::string_view words);  // our own words only
    StyledText& bold(std::string_view words);   // our own words only
    StyledText& code(std::string_view text);
    StyledText& pre(std::string_view text, std::string_view language = {});
    // Somebody is called, by the id that Telegram knows them by: whoever has that name there is not.
    StyledText& mention(std::string_view name, std::int64_t user);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::vector<Entity>& entities() const { return entities_; }
    [[nodiscard]] std::size_t units() const { return units_; }

private:
    StyledText& styled(std::string_view type, std::string_view text, std::string_view language = {});

    std::string text_;
    std::vector<Entity> entities_;
    std::size_t units_ = 0;
};

// The id of a person whom Telegram knows.
[[nodiscard]] std::optional<std::int64_t> user_of(std::string_view principal);

// Our words stay words, but for what slipped through; what others wrote becomes code.
[[nodiscard]] StyledText styled(const Phrase& phrase);

}  // namespace countersign::channels::telegram
