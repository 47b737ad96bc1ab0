// SPDX-License-Identifier: Apache-2.0
#include "channels/host_words.hpp"

namespace countersign::channels {

Key key_of(SuspectHost::Kind kind) {
    using enum SuspectHost::Kind;
    if (kind == looks_alike) return Key::host_looks_alike;
    if (kind == mixed_scripts) return Key::host_mixes_scripts;
    return kind == unreadable ? Key::host_unreadable : Key::host_stands_for;
}

bool tells_ascii(const SuspectHost& host) {
    return host.kind != SuspectHost::Kind::punycode && !host.ascii.empty() && host.ascii != host.shown;
}

}  // namespace countersign::channels
