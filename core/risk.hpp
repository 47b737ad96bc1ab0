// SPDX-License-Identifier: Apache-2.0
// Risk: a pure rule over tool class, path, host and parsed command. Anything unknown or unparsable has high risk.
//
// The facts are made from the raw input inside runtimes/ and never leave it; the hub sees only the judgement (I6).
#pragma once

#include "core/patterns.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign {

enum class RiskLevel { low, medium, high };  // in ascending order
[[nodiscard]] std::string_view name(RiskLevel level);
[[nodiscard]] std::optional<RiskLevel> risk_level_named(std::string_view text);

struct Risk {
    RiskLevel level = RiskLevel::high;
    std::string rule = "unknown";  // the name of the rule that set the level; in the record and on the card
    friend bool operator==(const Risk&, const Risk&) = default;
};

// The built-in rules and the lowest and highest level that each can give, sorted by name.
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
// absolute and free of links.
struct FileView {
    std::vector<std::string> real_paths;  // of the call's paths; an ambiguous path has several
    std::string cwd;                      // the resolved directory of the call
    std::string home;                     // the agent's home as it is written, and below it as resolved
    std::string real_home;
    bool complete = true;  // false: some path couldn't be resolved completely
    // False: reading the files took too long, nothing is known about them; `complete` is then false.
    bool in_time = true;
    // For a command: a text in its words that a link resolves to another place.
    struct Link {
        std::string written;
        std::string place;
    };
    std::vector<Link> links = {};
};

// The input of the rules. Raw: don't store it in a Request, show it or log it.
struct CallFacts {
    std::string agent_id;
    std::string tool_name;
    ToolClass tool_class = ToolClass::other;
    std::optional<std::string> command;  // the command line of an execute call
    std::vector<std::string> paths;      // absolute or relative to cwd, as given
    std::vector<std::string> hosts;      // from its URLs, as security/url.hpp parses them
    std::string cwd;
    bool look_alike_host = false;  // one of the hosts can be mistaken for another one
    bool unknown_members = false;  // it has arguments that are unknown for its class and may mean anything
    bool odd_url = false;          // it has a URL that programs parse differently, or one that isn't http or https
    std::vector<std::string> possible_hosts = {};  // of such URLs: used to refuse a call, never to allow it
    std::optional<FileView> files = {};            // nullopt: the agent's file system isn't visible from here
    std::vector<std::string> selectors = {};       // file patterns of a search: only used to refuse it
    bool odd_path = false;                         // tools read one of its paths differently; `paths` has all readings
    bool elsewhere = false;                        // the call chose its own directory instead of the agent's
};

// A row of the operator's own table, which is checked before the built-in rules; the first match wins. Empty patterns
// match everything; `*` and `?` are the only wildcards. `command` matches only a fully parsed simple command. A list is
// as risky as its riskiest part.
struct RiskRule {
    std::string name;
    Patterns tool;
    std::string command;
    std::string path;
    std::string host;
    RiskLevel level = RiskLevel::high;
};

// True if a rule must not allow this call or lower its risk: command, path and host patterns can't cover what its
// unknown arguments do, or which file an ambiguous path means. For a tool of unknown class, a rule about that tool
// alone covers everything that the tool does.
[[nodiscard]] bool beyond_patterns(const CallFacts& facts, bool rule_of_tool_alone);

[[nodiscard]] Risk assess(const CallFacts& facts, const std::vector<RiskRule>& table);

// True if a call writes to Countersign's or an agent's own settings, hooks or rules. Such a call always asks, has high
// risk and mints no grant; no table and no policy can change that.
[[nodiscard]] bool touches_own_settings(const CallFacts& facts);

}  // namespace countersign
