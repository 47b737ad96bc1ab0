// SPDX-License-Identifier: Apache-2.0
// Redactor: takes secrets out of what an agent sent before anybody or anything else sees it (I6).
//
// It looks at the text as it is and as its readers would take it (security/redact/view.hpp), for the daemon's own
// secrets, for tokens known by their look, for values that a name calls secret, and for what only a machine would
// write; the union of all that is masked. Masking what is none costs a look at the agent's own screen; showing a secret
// cannot be undone. It is no defence against an agent that wants a secret out: that one has a network.
//
// Built once, then immutable: any thread may use it. Time is linear in the text.
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
    std::vector<std::string> rules;  // those that masked something, each once, in order of their names
};

class Redactor {
public:
    // The key makes the masks' digits; it is not empty. `known` are the daemon's own secrets.
    Redactor(Secret key, const std::vector<KnownSecret>& known);

    // Text of any kind: a command line, a diff, source code, prose, JSON that was not parsed. Over
    // limits::redact_bytes_max nothing of it is left but size and digest. Redacting twice changes nothing. A caller
    // that knows the text to be a configuration file says so: then no value ends early for fear of a command.
    [[nodiscard]] std::string text(std::string_view text, TextKind kind = TextKind::any) const {
        return redact(text, kind).text;
    }
    [[nodiscard]] Redacted redact(std::string_view text, TextKind kind = TextKind::any) const;

    // The same for parsed JSON, where more is known: all that is below a member called "password" is masked, an array
    // of strings is read as a command line too, and each string as a text.
    [[nodiscard]] json::Value value(const json::Value& value, const FileMembers& file = {}) const;

private:
    friend class RedactedJson;
    // What to mask in the text, in order. `arguments` as in views_of.
    [[nodiscard]] Findings find(std::string_view text, bool arguments, TextKind kind) const;
    // The text with a mask for each finding; they are in order and don't overlap.
    [[nodiscard]] std::string masked(std::string_view text, const Findings& findings) const;
    // What to do about base64 and the like.
    enum class Encoded {
        unread,
        hidden,  // if it would be masked when decoded, or looks random
        shown,   // but for what would be masked when decoded: the text may decode it and run it
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
