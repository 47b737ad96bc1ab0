// SPDX-License-Identifier: Apache-2.0
#include "channels/host_words.hpp"

namespace countersign::channels {

namespace {

Key key_of(SuspectHost::Kind kind) {
    using enum SuspectHost::Kind;
    if (kind == looks_alike) return Key::host_looks_alike;
    if (kind == mixed_scripts) return Key::host_mixes_scripts;
    return kind == unreadable ? Key::host_unreadable : Key::host_stands_for;
}

}  // namespace

Phrase host_words(const SuspectHost& host, Language language,
                  const std::function<std::string(std::string_view)>& in_line) {
    const auto ascii = in_line(host.ascii);
    Phrase words{language,
                 key_of(host.kind),
                 {{"host", in_line(host.shown)}, {"looks", in_line(host.looks_like)}, {"ascii", ascii}}};
    // Else the line itself has what the network calls it.
    const bool says_ascii = host.kind == SuspectHost::Kind::punycode || host.ascii.empty() || host.ascii == host.shown;
    if (!says_ascii) words.say(language, Key::host_ascii, {{"ascii", ascii}});
    return words;
}

}  // namespace countersign::channels
