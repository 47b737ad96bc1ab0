// SPDX-License-Identifier: Apache-2.0
// Redactor: removes secrets from an agent's text before any person or other component sees it (I6).
//
// It scans the text as it is and as its readers would decode it (security/redact/view.hpp). It looks for the daemon's
// own secrets, tokens recognised by their look, values with a secret-sounding name, and text that only a machine would
// write, and masks all of them. If it masks too much, the approver can look at the agent's own screen; a shown secret
// can't be taken back. It doesn't defend against an agent that wants to leak a secret: that agent has a network.
//
// Immutable after construction, so any thread may use it. Time is linear in the text.
#pragma once

#include "core/json/value.hpp"
#include "security/redact/known.hpp"
#include "security/redact/mask.hpp"
#include "security/redact/settings.hpp"
#include "security/redact/shapes.hpp"
#include "security/secret.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

// The members of a JSON value whose strings are the text of one file.
struct FileMembers {
    TextKind kind = TextKind::any;
    std::span<const std::string_view> names;
};

struct Redacted {
    std::string text;
    std::vector<std::string> rules;  // the rules that masked something, without duplicates, sorted by name
};

class Redactor {
public:
    // The key determines the masks' digits and must not be empty. `known` are the daemon's own secrets.
    Redactor(Secret key, const std::vector<KnownSecret>& known);

    // Redacts text of any kind: a command line, a diff, source code, prose, unparsed JSON. A text over
    // limits::redact_bytes_max is replaced by its size and digest. Idempotent. Pass `kind` for a configuration file:
    // then a value isn't cut short in case the rest is a command.
    [[nodiscard]] std::string text(std::string_view text, TextKind kind = TextKind::any) const {
        return redact(text, kind).text;
    }
    [[nodiscard]] Redacted redact(std::string_view text, TextKind kind = TextKind::any) const;

    // The same for parsed JSON, where more is known: everything below a member called "password" is masked, an array of
    // strings is also read as a command line, and each string as a text.
    [[nodiscard]] json::Value value(const json::Value& value, const FileMembers& file = {}) const;

private:
    friend class RedactedJson;
    // The parts of the text to mask, in order. `arguments`: see views_of.
    [[nodiscard]] Findings find(std::string_view text, bool arguments, TextKind kind) const;
    // The text with each finding replaced by its mask. The findings must be in order and must not overlap.
    [[nodiscard]] std::string masked(std::string_view text, const Findings& findings) const;
    // How to treat base64 and similar encodings.
    enum class Encoded {
        unread,
        hidden,  // masked if the decoded text would be masked, or if it looks random
        shown,   // visible, apart from parts whose decoded text would be masked: the text may decode and run it
    };
    [[nodiscard]] Findings find_in_views(std::string_view text, bool arguments, Encoded encoded) const;
    void find_in(std::string_view view, Encoded encoded, Findings& findings) const;
    void hide_encoded(std::string_view view, Findings& findings) const;
    void show_encoded(std::string_view view, Findings& findings) const;

    Shapes shapes_;
    KnownSecrets known_;
    Masks masks_;
};

}  // namespace countersign::security
