// SPDX-License-Identifier: Apache-2.0
// Risk: a pure rule over tool class, path, host and parsed command. What cannot be parsed, or is not known, is high.
//
// The facts are made from the raw input inside runtimes/ and never leave it; the hub sees the judgement alone (I6).
#pragma once

#include "core/patterns.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

enum class RiskLevel { low, medium, high };  // in order
[[nodiscard]] std::string_view name(RiskLevel level);
[[nodiscard]] std::optional<RiskLevel> risk_level_named(std::string_view text);

struct Risk {
    RiskLevel level = RiskLevel::high;
    std::string rule = "unknown";  // the name of the rule that said so; in the record and on the card
    friend bool operator==(const Risk&, const Risk&) = default;
};

// The built-in rules and the levels they give, sorted by name.
struct BuiltInRisk {
    std::string_view name;
    RiskLevel least;
    RiskLevel most;
};
[[nodiscard]] std::span<const BuiltInRisk> built_in_risk_rules();

enum class ToolClass { read, edit, execute, fetch, other };
[[nodiscard]] ToolClass tool_class_of(std::string_view tool_name);
// False for a tool that runs commands in PowerShell or cmd.exe.
[[nodiscard]] bool is_posix_shell(std::string_view tool_name);

// Where the paths of a call lead on the agent's file system, as the adapter found when the call asked. Every path is
// absolute and goes through no link.
struct FileView {
    std::vector<std::string> real_paths;  // of the call's paths; one that tools read in several ways has several
    std::string cwd;                      // where the call's directory is
    std::string home;                     // the agent's home as it is named, and where that is
    std::string real_home;
    bool complete = true;  // false: some path could not be followed to its end
    bool in_time = true;   // false: the files did not answer in time, and nothing is known of them; not complete either
    // Of a command, the texts in its words that a link leads elsewhere than they say.
    struct Link {
        std::string written;
        std::string place;
    };
    std::vector<Link> links = {};
};

// What the rules look at. Raw: do not store it in a Request, show it or log it.
struct CallFacts {
    std::string agent_id;
    std::string tool_name;
    ToolClass tool_class = ToolClass::other;
    std::optional<std::string> command;  // the command line of an execute call
    std::vector<std::string> paths;      // absolute or relative to cwd, as given
    std::vector<std::string> hosts;      // of its URLs, as security/url.hpp reads them
    std::string cwd;
    bool look_alike_host = false;  // one of the hosts is written so that an eye takes it for another
    bool unknown_members = false;  // it has arguments that are not known for its class, and may mean anything
    bool odd_url = false;          // it has a URL that programs read in several ways, or that is not http or https
    std::vector<std::string> possible_hosts = {};  // of such URLs: enough to refuse a call, never to allow it
    std::optional<FileView> files = {};            // nothing: the agent's file system is not visible from here
    std::vector<std::string> selectors = {};       // patterns of the files that a search looks at: enough to refuse it
    bool odd_path = false;   // tools read one of its paths in several ways; `paths` has all the readings
    bool elsewhere = false;  // the call chose the directory it runs in, instead of the agent's own
};

// A row of the operator's own table, looked at before the built-in rules; the first that fits wins. Empty patterns fit
// everything; `*` and `?` are the only wildcards. `command` fits only a fully parsed simple command; a list is as risky
// as its riskiest part.
struct RiskRule {
    std::string name;
    Patterns tool;
    std::string command;
    std::string path;
    std::string host;
    RiskLevel level = RiskLevel::high;
};

// True when a rule that makes it easier for this call must not be believed: no pattern of a command, path or host can
// say what its unknown arguments do, or which file an odd path names. Of a tool of no known class, a rule about that
// tool alone is about all that it does.
[[nodiscard]] bool beyond_patterns(const CallFacts& facts, bool rule_of_tool_alone);

[[nodiscard]] Risk assess(const CallFacts& facts, const std::vector<RiskRule>& table);

// True when a call writes to Countersign's or an agent's own settings, hooks or rules. Such a call always asks, is high
// and mints no grant; no table and no policy can change that.
[[nodiscard]] bool touches_own_settings(const CallFacts& facts);

}  // namespace countersign
