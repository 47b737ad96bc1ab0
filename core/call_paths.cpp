// SPDX-License-Identifier: Apache-2.0
#include "core/call_paths.hpp"

#include "core/path.hpp"

#include <algorithm>

namespace countersign {

namespace {

std::string lower(std::string_view text) {
    std::string out{text};
    for (auto& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

// The pattern, and for "~/x" also the home directory's path, if it is known.
std::vector<std::string> spellings_of(std::string_view pattern, const CallFacts& facts) {
    std::vector<std::string> spellings{std::string{pattern}};
    if (!facts.files || !(pattern == "~" || pattern.starts_with("~/"))) return spellings;
    for (const auto& home : {facts.files->home, facts.files->real_home}) {
        if (!home.empty()) spellings.push_back(home + std::string{pattern.substr(1)});
    }
    return spellings;
}

// The same place, named relative to the call's directory as the agent writes it.
std::string from_cwd(std::string_view real, const CallFacts& facts) {
    const auto& root = facts.files->cwd;
    return facts.cwd + std::string{real.substr(root == "/" ? 0 : root.size())};
}

bool real_path_fits(std::string_view pattern, std::string_view real, const CallFacts& facts) {
    if (path_fits(pattern, real, facts.files->cwd)) return true;
    return !facts.files->cwd.empty() && inside(real, facts.files->cwd) &&
           path_fits(pattern, from_cwd(real, facts), facts.cwd);
}

bool any_spelling(std::string_view pattern, const CallFacts& facts, auto&& fits) {
    return std::ranges::any_of(spellings_of(pattern, facts), fits);
}

// The files that a search selects, as written and below each directory that it names.
std::vector<std::string> selected_paths(const CallFacts& facts) {
    std::vector<std::string> selected;
    for (const auto& selector : facts.selectors) {
        selected.push_back(selector);
        for (const auto& path : facts.paths) selected.push_back(path + "/" + selector);
    }
    return selected;
}

CallFacts in_lower_case(const CallFacts& facts) {
    CallFacts folded;
    folded.cwd = lower(facts.cwd);
    for (const auto& path : facts.paths) folded.paths.push_back(lower(path));
    for (const auto& path : selected_paths(facts)) folded.paths.push_back(lower(path));
    folded.files = facts.files;
    if (!folded.files) return folded;
    for (auto* text : {&folded.files->cwd, &folded.files->home, &folded.files->real_home}) *text = lower(*text);
    for (auto& path : folded.files->real_paths) path = lower(path);
    return folded;
}

}  // namespace

bool every_path_fits(std::string_view pattern, const CallFacts& facts) {
    if (facts.paths.empty() || !facts.files || !facts.files->complete) return false;
    const auto as_written = [&](const std::string& path) {
        return path.find_first_of("*?") == std::string::npos &&
               any_spelling(pattern, facts, [&](const std::string& one) { return path_fits(one, path, facts.cwd); });
    };
    const auto in_truth = [&](const std::string& real) {
        return any_spelling(pattern, facts, [&](const std::string& one) { return real_path_fits(one, real, facts); });
    };
    return std::ranges::all_of(facts.paths, as_written) && std::ranges::all_of(facts.files->real_paths, in_truth);
}

bool some_path_fits(std::string_view pattern, const CallFacts& facts) {
    const auto folded = in_lower_case(facts);
    return any_spelling(lower(pattern), folded, [&](const std::string& one) {
        const auto as_written = [&](const std::string& path) { return path_fits(one, path, folded.cwd); };
        const auto in_truth = [&](const std::string& real) { return real_path_fits(one, real, folded); };
        return std::ranges::any_of(folded.paths, as_written) ||
               (folded.files && std::ranges::any_of(folded.files->real_paths, in_truth));
    });
}

bool word_fits(std::string_view pattern, std::string_view word, const CallFacts& facts) {
    return any_spelling(pattern, facts,
                        [&](const std::string& one) { return path_fits(lower(one), lower(word), lower(facts.cwd)); });
}

bool may_walk_into(std::string_view pattern, std::string_view directory, const CallFacts& facts) {
    const auto slash = pattern.substr(0, pattern.find_first_of("*?[{")).rfind('/');
    if (slash == std::string_view::npos) return false;
    const auto cwd = lower(facts.cwd);
    const auto walked = resolved_path(lower(directory), cwd);
    const auto place = pattern.substr(0, std::max<std::size_t>(slash, 1));
    return any_spelling(place, facts,
                        [&](const std::string& one) { return inside(resolved_path(lower(one), cwd), walked); });
}

bool holds_a_home(std::string_view directory, const CallFacts& facts) {
    const auto walked = resolved_path(directory, facts.cwd);
    for (const std::string_view homes : {"/home/", "/Users/"}) {
        if (walked.starts_with(homes) && walked.find('/', homes.size()) == std::string::npos) return true;
        if (inside(homes, walked)) return true;
    }
    const auto holds = [&](std::string_view home) { return !home.empty() && inside(home, walked); };
    if (walked == "~" || holds("/root")) return true;
    return facts.files && (holds(facts.files->home) || holds(facts.files->real_home));
}

bool selects_secret(const CallFacts& facts) {
    return std::ranges::any_of(facts.selectors, [&](const std::string& selector) {
        const auto below = [&](const std::string& path) {
            return selects_secrets(selector, resolved_path(path, facts.cwd));
        };
        return selects_secrets(selector, facts.cwd) || std::ranges::any_of(facts.paths, below);
    });
}

bool every_path_inside(const CallFacts& facts) {
    const auto as_written = [&](const std::string& path) { return inside(path, facts.cwd); };
    if (!std::ranges::all_of(facts.paths, as_written)) return false;
    return !facts.files || std::ranges::all_of(facts.files->real_paths,
                                               [&](const std::string& real) { return inside(real, facts.files->cwd); });
}

bool some_path(const CallFacts& facts, const PathTest& test) {
    const auto as_written = [&](const std::string& path) { return test(path, facts.cwd); };
    const auto in_truth = [&](const std::string& real) { return test(real, {}); };
    return std::ranges::any_of(facts.paths, as_written) ||
           (facts.files && std::ranges::any_of(facts.files->real_paths, in_truth));
}

}  // namespace countersign
