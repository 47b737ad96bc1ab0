// SPDX-License-Identifier: Apache-2.0
#include "security/redact/redactor.hpp"

#include "core/limits.hpp"
#include "security/redact/base64.hpp"
#include "security/redact/blocks.hpp"
#include "security/redact/commands.hpp"
#include "security/redact/destinations.hpp"
#include "security/redact/pairs.hpp"
#include "security/redact/running.hpp"
#include "security/redact/runs.hpp"
#include "security/redact/shell.hpp"
#include "security/redact/targets.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>

namespace countersign::security {
namespace {

constexpr std::size_t encoded_bytes_min = 8;

// All names that a mask can have, including those that no shape uses.
std::vector<std::string_view> all_rules(const Shapes& shapes) {
    auto rules = shapes.rules();
    rules.insert(rules.end(), built_token_rules().begin(), built_token_rules().end());
    for (const std::string_view rule : {"authorization", "cookie", "credential", "encoded", "flag", "key", "known",
                                        "member", "password", "private-key", "query", "random", "secret", "token"}) {
        rules.push_back(rule);
    }
    return rules;
}

bool only_masks(std::string_view view, const Finding& finding) {
    const auto stretch = view.substr(finding.begin, finding.end - finding.begin);
    return std::ranges::all_of(stretch, [](char byte) { return byte == mask_mark || byte == ' ' || byte == '='; });
}

// The rest of a finding may be just one of our masks.
bool is_masked(const Finding& finding, std::span<const MaskSpan> masks) {
    const auto behind = std::ranges::upper_bound(masks, finding.begin, {}, &MaskSpan::begin);
    return behind != masks.begin() && finding.end <= std::prev(behind)->end;
}

bool is_unreadable(const Findings& findings) {
    return std::ranges::any_of(findings, [](const Finding& finding) { return finding.rule == unreadable; });
}

// True for a word that may be base64 or hexadecimal text of more than a few bytes.
bool may_be_encoded(std::string_view word) {
    const auto encoding = [](char byte) { return base64_byte(byte) || byte == '=' || byte == mask_mark; };
    return word.size() >= encoded_bytes_min && std::ranges::all_of(word, encoding);
}

// Text that a program turns into a command isn't masked just for its name.
void show_piped(Findings& findings, std::string_view text) {
    if (text.find('|') == std::string_view::npos) return;
    std::erase_if(findings, [&](const Finding& finding) {
        const bool doubtful = finding.evidence == Evidence::name || finding.evidence == Evidence::entropy;
        return doubtful && finding.rule != "flag" && flows_into_interpreter(text, finding.begin);
    });
}

void append(Findings& to, Findings&& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

Redactor::Redactor(Secret key, const std::vector<KnownSecret>& known)
    : known_{known}, masks_{std::move(key), all_rules(shapes_)} {}

void Redactor::find_in(std::string_view view, Encoded encoded, Findings& findings) const {
    append(findings, known_.find(view));
    append(findings, shapes_.find(view));
    append(findings, find_built_tokens(view));
    append(findings, find_key_blocks(view));
    append(findings, find_pairs(view));
    append(findings, find_command_secrets(view));
    if (encoded == Encoded::hidden) append(findings, find_random_runs(view));
    if (encoded == Encoded::hidden) hide_encoded(view, findings);
    if (encoded == Encoded::shown) show_encoded(view, findings);
}

// Decodes one layer of base64: a run is masked if its decoded text would be.
void Redactor::hide_encoded(std::string_view view, Findings& findings) const {
    for (const auto& run : find_encoded_runs(view)) {
        for (const auto& inner : views_of(run.text, {}, false)) {
            Findings inside;
            find_in(inner.text(), Encoded::unread, inside);
            if (inside.empty()) continue;
            findings.push_back({run.begin, run.end, "encoded", Evidence::shape, 0, true});
            break;
        }
    }
}

// If it may be code, masks only the bytes that encode its secrets. A name before it has no effect.
void Redactor::show_encoded(std::string_view view, Findings& findings) const {
    std::erase_if(findings, [&](const Finding& finding) {
        const bool certain = finding.evidence == Evidence::known || finding.by_look;
        return !certain && may_be_encoded(view.substr(finding.begin, finding.end - finding.begin));
    });
    for (const auto& run : find_encoded_runs(view)) {
        auto inside = find_in_views(run.text, false, Encoded::unread);
        keep_commands_visible(inside, run.text, false);
        keep_destinations_visible(inside, run.text, DestinationKind::any);
        for (const auto& finding : inside) {
            // Four characters encode three bytes.
            findings.push_back({run.begin + finding.begin * 4 / 3,
                                std::min(run.begin + (finding.end * 4 + 2) / 3, run.end), "encoded", Evidence::shape, 0,
                                true});
        }
    }
}

Findings Redactor::find_in_views(std::string_view text, bool arguments, Encoded encoded) const {
    const auto masks = masks_.find(text);
    Findings all;
    for (const auto& view : views_of(text, masks, arguments)) {
        Findings found;
        if (view.kind() == View::Kind::glued) {
            append(found, known_.find(view.text()));
            append(found, shapes_.find_alone(view.text()));
            append(found, find_built_tokens(view.text()));
        } else {
            find_in(view.text(), encoded, found);
        }
        for (const auto& finding : found) {
            if (finding.begin < finding.end && !only_masks(view.text(), finding)) all.push_back(view.original(finding));
        }
    }
    return all;
}

Findings Redactor::find(std::string_view text, bool arguments, TextKind kind) const {
    const auto masks = masks_.find(text);
    Findings settings;
    for (const auto& view : kind == TextKind::any ? std::vector<View>{} : views_of(text, masks, arguments)) {
        for (const auto& finding : find_settings(view.text(), kind)) {
            if (!only_masks(view.text(), finding)) settings.push_back(view.original(finding));
        }
    }
    auto all = find_in_views(text, arguments, Encoded::hidden);
    const auto encoded = [&](const Finding& finding) {
        return finding.evidence != Evidence::known &&
               may_be_encoded(text.substr(finding.begin, finding.end - finding.begin));
    };
    if (std::ranges::any_of(all, encoded) && decodes_and_runs(text)) {
        all = find_in_views(text, arguments, Encoded::shown);
    }
    show_piped(all, text);
    keep_commands_visible(all, text, arguments);
    keep_fetched_visible(all, text);
    keep_destinations_visible(all, text, DestinationKind::any);
    keep_destinations_visible(settings, text, DestinationKind::explicit_only);
    append(all, std::move(settings));  // they already leave out commands
    std::erase_if(all, [&](const Finding& finding) { return is_masked(finding, masks); });
    return united(std::move(all));
}

std::string Redactor::masked(std::string_view text, const Findings& findings) const {
    std::string masked;
    std::size_t at = 0;
    for (const auto& finding : findings) {
        masked += text.substr(at, finding.begin - at);
        masked += masks_.mask(finding.rule, text.substr(finding.begin, finding.end - finding.begin));
        at = finding.end;
    }
    masked += text.substr(at);
    return masked;
}

// Masking may join texts that were apart, so it is repeated until nothing changes; then a second call finds nothing
// either. Each pass leaves less unmasked text. Hostile text that needs many passes is withheld.
Redacted Redactor::redact(std::string_view text, TextKind kind) const {
    if (text.size() > limits::redact_bytes_max) return {withheld(text), {"withheld"}};
    std::string current{text};
    std::set<std::string> rules;
    for (std::size_t pass = 0; pass < limits::redact_passes_max; ++pass) {
        const auto findings = find(current, false, kind);
        if (findings.empty()) return {std::move(current), {rules.begin(), rules.end()}};
        if (is_unreadable(findings)) break;
        for (const auto& finding : findings) rules.emplace(finding.rule);
        current = masked(current, findings);
        if (current.size() > limits::redact_bytes_max) break;
    }
    return {withheld(text), {"withheld"}};
}

}  // namespace countersign::security
