// SPDX-License-Identifier: Apache-2.0
#include "runtimes/suspect_hosts.hpp"

#include "core/limits.hpp"
#include "runtimes/subject_display.hpp"
#include "security/display/host_spoof.hpp"
#include "security/url.hpp"

#include <algorithm>
#include <set>

namespace countersign::runtimes {

namespace {

class Finder {
public:
    void look_at(std::string_view host) {
        if (const auto found = security::suspect_host(host)) add(*found);
    }

    // A word may also be a file name, so mixed scripts alone prove nothing: "отчётA.txt".
    void look_at_word(std::string_view word) {
        if (word.find('.') == word.npos) return;
        const auto found = security::suspect_host(word);
        if (found && found->kind != SuspectHost::Kind::mixed_scripts) add(*found);
    }

    [[nodiscard]] bool deceived() const { return !deceiving_.empty(); }

    [[nodiscard]] std::vector<SuspectHost> first(std::size_t most) const {
        auto all = deceiving_;
        all.insert(all.end(), coded_.begin(), coded_.end());
        if (all.size() > most) all.resize(most);
        return all;
    }

private:
    void add(const SuspectHost& host) {
        auto& list = security::deceives(host) ? deceiving_ : coded_;
        if (list.size() >= limits::suspect_hosts_max) return;
        if (std::ranges::find(list, host) == list.end()) list.push_back(host);
    }

    std::vector<SuspectHost> deceiving_;
    std::vector<SuspectHost> coded_;
};

// The encoded forms (xn--…) of names that also occur in their own letters, so they need no explanation.
std::set<std::string> coded_twins(const std::vector<std::string>& hosts) {
    std::set<std::string> twins;
    for (const auto& host : hosts) {
        auto coded = security::idna_host(host);
        if (coded && *coded != host) twins.insert(std::move(*coded));
    }
    return twins;
}

}  // namespace

std::vector<SuspectHost> find_suspect_hosts(CallFacts& facts, const security::Redactor& redactor) {
    Finder finder;
    for (const auto& host : facts.hosts) finder.look_at(host);
    const auto twins = coded_twins(facts.possible_hosts);
    for (const auto& host : facts.possible_hosts) {
        if (!twins.contains(host)) finder.look_at(host);
    }
    if (facts.command) {
        std::string_view rest = *facts.command;
        while (!rest.empty()) {
            const auto word = rest.substr(0, rest.find_first_of(" \t\r\n\"'`/@:\\?#=,;()<>|&$[]{}!*"));
            finder.look_at_word(word);
            rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        }
    }
    facts.look_alike_host = finder.deceived();
    auto hosts = finder.first(limits::suspect_hosts_max);
    for (auto& [kind, shown, ascii, looks_like] : hosts) {
        shown = shown_line(shown, redactor);
        ascii = shown_line(ascii, redactor);
        looks_like = shown_line(looks_like, redactor);
    }
    return hosts;
}

}  // namespace countersign::runtimes
