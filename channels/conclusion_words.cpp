// SPDX-License-Identifier: Apache-2.0
#include "channels/conclusion_words.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <array>

namespace countersign::channels {

OutcomeWords words_of(Outcome outcome, Language language) {
    const auto said = [language](Key key) { return pattern(language, key); };
    switch (outcome) {
    case Outcome::allowed:
        return {"✅", said(Key::allowed), ""};
    case Outcome::denied:
        return {"⛔", said(Key::denied), ""};
    case Outcome::answered:
        return {"✅", said(Key::answered), ""};
    case Outcome::cancelled:
        return {"⛔", said(Key::cancelled), ""};
    case Outcome::expired:
        return {"⌛", said(Key::expired), said(Key::expired_meaning)};
    case Outcome::withdrawn:
        return {"↩", said(Key::withdrawn), said(Key::withdrawn_meaning)};
    case Outcome::undeliverable:
        return {"⚠", said(Key::undeliverable), said(Key::undeliverable_meaning)};
    case Outcome::lost:
        return {"⚠", said(Key::lost), said(Key::lost_meaning)};
    case Outcome::unlogged:
        return {"⚠", said(Key::unlogged), said(Key::unlogged_meaning)};
    case Outcome::indeterminate:
        return {"⚠", said(Key::indeterminate), said(Key::indeterminate_meaning)};
    }
    return {"⚠", said(Key::ended), ""};
}

bool is_decision(Outcome outcome) { return words_of(outcome).meaning.empty(); }

std::string anchor_of(const Conclusion& conclusion) {
    const auto root = security::base64_decode(conclusion.root);
    if (conclusion.size == 0 || !root) return {};
    const auto hex = security::hex(*root);
    if (hex.size() < limits::anchor_root_chars_shown) return {};
    return std::to_string(conclusion.size) + " " + hex.substr(0, limits::anchor_root_chars_shown);
}

std::string_view granted_words(const Conclusion& conclusion, Language language) {
    if (conclusion.granted == Scope::once) return {};
    return pattern(language, conclusion.granted == Scope::session ? Key::granted_session : Key::granted_always);
}

std::string_view reason_beside_meaning(const Conclusion& conclusion) {
    // The hub's own words for the common ways to end, as the agent hears them.
    constexpr std::array<std::string_view, 3> said{"nobody decided in time", "nobody could be shown the request",
                                                   "audit log unavailable"};
    const bool repeats = !is_decision(conclusion.outcome) && std::ranges::find(said, conclusion.reason) != said.end();
    return repeats ? std::string_view{} : std::string_view{conclusion.reason};
}

}  // namespace countersign::channels
