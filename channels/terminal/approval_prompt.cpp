// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/approval_prompt.hpp"

#include "channels/option_words.hpp"
#include "channels/terminal/word.hpp"
#include "core/limits.hpp"

#include <utility>

namespace countersign::channels::terminal {

namespace {

// An option that no table knows counts as the widest allow.
Ink ink_of(const Option& option) {
    if (!option.known) return Ink::warn;
    if (option.effect != Effect::allow) return Ink::bad;
    return option.scope == Scope::once ? Ink::good : Ink::warn;
}

}  // namespace

std::string effect_note(const Option& option, Language language) {
    if (says_its_effect(option) && (option.grants || !lasts(option))) return {};
    return "(" + std::string{meaning_of(option, language)} + ")";
}

std::vector<Offer> offers_of(const std::vector<Option>& offered, std::uint32_t waiting, Language language) {
    std::vector<Offer> offers;
    for (const auto& option : offered) offers.push_back({.option = option});
    const auto* refusal = refusal_of(offered);
    if (waiting == 0 || refusal == nullptr) return offers;
    auto all = *refusal;
    all.label = text(language, Word::deny_all, {{"count", std::to_string(waiting + 1)}});
    all.detail.clear();
    offers.push_back({.option = std::move(all), .and_behind = true});
    return offers;
}

Row row_of(const Option& option, Language language) {
    return {.mark = {},
            .label = std::string{shown_label(option, language)},
            .meaning = effect_note(option, language),
            .detail = option.detail,
            .focused = false,
            .ink = ink_of(option)};
}

Decided refusal(const std::vector<Option>& offered) {
    if (const auto* option = refusal_of(offered)) return {.what = Choose{option->option_id}, .reason = {}};
    return {.what = Cancel{}, .reason = {}};
}

ApprovalPrompt::ApprovalPrompt(std::vector<Option> offered, Language language)
    : offered_{std::move(offered)},
      language_{language},
      offers_{offers_of(offered_, 0, language)},
      reason_{limits::reason_bytes_max} {
    focus_refusal();
}

// The row for all is the last one, so that no other moves away under a key. Whoever is writing why writes on, for the
// one that is left: what was meant as words must not become keys that choose.
void ApprovalPrompt::behind(std::uint32_t waiting) {
    offers_ = offers_of(offered_, waiting, language_);
    if (focus_ && *focus_ >= offers_.size()) focus_refusal();
    if (refusing_ && *refusing_ >= offers_.size()) refusing_ = focus_;
}

void ApprovalPrompt::focus_refusal() {
    focus_.reset();
    if (const auto* option = refusal_of(offered_)) focus_ = static_cast<std::size_t>(option - offered_.data());
}

std::optional<Decided> ApprovalPrompt::press(const Key& key) {
    note_.clear();
    if (refusing_) return press_in_reason(key, offers_[*refusing_]);
    const bool again = std::exchange(escaped_, false);
    switch (key.kind) {
    case KeyKind::up:
        move(false);
        return std::nullopt;
    case KeyKind::down:
        move(true);
        return std::nullopt;
    case KeyKind::text:
        focus_number(key.text);
        return std::nullopt;
    case KeyKind::enter:
        return choose();
    case KeyKind::escape:
        return escape(again);
    case KeyKind::paste:
    case KeyKind::paste_too_long:
        note_ = pattern(language_, Word::paste_decides_nothing);
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

// The list does not wrap around: one key too many on a refusal must not end on an allow.
void ApprovalPrompt::move(bool down) {
    if (offers_.empty()) return;
    if (!focus_) {
        focus_ = down ? 0 : offers_.size() - 1;
    } else if (down && *focus_ + 1 < offers_.size()) {
        ++*focus_;
    } else if (!down && *focus_ > 0) {
        --*focus_;
    }
}

// A digit only moves there: one key alone decides nothing.
void ApprovalPrompt::focus_number(std::string_view digit) {
    if (digit.size() != 1 || digit[0] < '1' || digit[0] > '9') return;
    const auto at = static_cast<std::size_t>(digit[0] - '1');
    if (at < offers_.size()) focus_ = at;
}

std::optional<Decided> ApprovalPrompt::choose() {
    if (!focus_) {
        note_ = pattern(language_, Word::move_first);
        return std::nullopt;
    }
    const auto& [option, and_behind] = offers_[*focus_];
    if (option.known && option.effect == Effect::deny) {
        refusing_ = focus_;
        return std::nullopt;
    }
    return Decided{.what = Choose{option.option_id}, .reason = {}, .and_behind = and_behind};
}

std::optional<Decided> ApprovalPrompt::escape(bool again) {
    if (again) return refusal(offered_);
    focus_refusal();
    escaped_ = true;
    note_ = focus_ ? text(language_, Word::escape_refuses, {{"label", offers_[*focus_].option.label}})
                   : text(language_, Word::escape_cancels);
    return std::nullopt;
}

std::optional<Decided> ApprovalPrompt::press_in_reason(const Key& key, const Offer& offer) {
    if (key.kind == KeyKind::enter) {
        return Decided{
            .what = Choose{offer.option.option_id}, .reason = reason_.text(), .and_behind = offer.and_behind};
    }
    if (key.kind == KeyKind::escape) {
        refusing_.reset();
    } else if (!reason_.press(key)) {
        note_ = too_long_note(reason_, language_);
    }
    return std::nullopt;
}

View ApprovalPrompt::view() const {
    View view{.language = language_};
    for (std::size_t at = 0; at < offers_.size(); ++at) {
        view.rows.push_back(row_of(offers_[at].option, language_));
        view.rows.back().focused = focus_ == at;
    }
    if (refusing_) {
        view.field =
            Field{.label = text(language_, Word::field_reason), .text = reason_.text(), .cursor = reason_.cursor()};
        view.keys = text(language_, Word::keys_reason, {{"label", offers_[*refusing_].option.label}});
    } else {
        view.keys = pattern(language_, Word::keys_approval);
    }
    view.note = note_;
    return view;
}

}  // namespace countersign::channels::terminal
