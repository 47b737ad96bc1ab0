// SPDX-License-Identifier: Apache-2.0
// Targets: values that say what a command acts on, although they have a secret-sounding name: API_KEY=/etc; rm -rf
// $API_KEY.
//
// A value stays visible if it looks like a target: a path, an option, an address or a host. A plain word stays visible
// if the text passes the variable to a command as an operand: TOKEN=production; dropdb $TOKEN. A value that looks like
// a token is masked in either case.
#pragma once

#include "security/redact/finding.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string_view>

namespace countersign::security {

// True if the value is a path, an option, an IP address, a host or host:path, and no part of it looks random.
[[nodiscard]] bool names_target(std::string_view value);
// True if the value is one or a few words, like names of databases and branches: production, db-2026, evil2.io.
[[nodiscard]] bool plain_words(std::string_view value);

// Leaves out the word that a command fetches and runs, even a token: npx ghp_…, docker run x. Also leaves out
// the text after the value in a script for sed and the like, which may run too: s/password=.*/password=«masked»/e
void keep_fetched_visible(Findings& findings, std::string_view text);

// The variables of a text that its commands act on.
class TargetNames {
public:
    // Borrows the text.
    explicit TargetNames(std::string_view text);

    [[nodiscard]] bool has(std::string_view name) const { return names_.contains(name); }

private:
    void propagate();

    std::set<std::string_view> names_;
    std::multimap<std::string_view, std::string_view> copies_;  // X=$TOKEN: X and TOKEN
};

}  // namespace countersign::security
