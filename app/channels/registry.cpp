// SPDX-License-Identifier: Apache-2.0
#include "app/channels/registry.hpp"

#include "app/channels/later_kinds.hpp"
#include "app/channels/open.hpp"
#include "app/runtimes/registry.hpp"
#include "audit/note.hpp"
#include "channels/catalogue.hpp"
#include "channels/discord/kind.hpp"
#include "channels/discord/open.hpp"
#include "channels/discord/preview.hpp"
#include "channels/discord/setup.hpp"
#include "channels/discord/signature.hpp"
#include "channels/slack/kind.hpp"
#include "channels/slack/open.hpp"
#include "channels/slack/preview.hpp"
#include "channels/slack/setup.hpp"
#include "channels/slack/signature.hpp"
#include "channels/telegram/kind.hpp"
#include "channels/telegram/open.hpp"
#include "channels/telegram/preview.hpp"
#include "channels/telegram/setup.hpp"
#include "channels/telegram/signature.hpp"
#include "channels/terminal/kind.hpp"

#include <algorithm>

namespace countersign::app {

std::span<const ChannelEntry> channel_registry() {
    static constexpr ChannelEntry entries[] = {
        {.kind = channels::telegram::kind,
         .open = channels::telegram::open,
         .setup = &channels::telegram::setup_kind,
         .preview = &channels::telegram::preview,
         .signature = &channels::telegram::signature_check},
        {.kind = channels::slack::kind,
         .open = channels::slack::open,
         .setup = &channels::slack::setup_kind,
         .preview = &channels::slack::preview,
         .signature = &channels::slack::signature_check},
        {.kind = channels::discord::kind,
         .open = channels::discord::open,
         .setup = &channels::discord::setup_kind,
         .preview = &channels::discord::preview,
         .signature = &channels::discord::signature_check},
        {.kind = sms_kind},
        {.kind = channels::terminal::kind, .open_screen = open_terminal},
        {.kind = console_kind},
        {.kind = whatsapp_kind},
        {.kind = signal_kind},
    };
    return entries;
}

const ChannelEntry* channel_entry(std::string_view kind, std::span<const ChannelEntry> registry) {
    const auto found = std::ranges::find(registry, kind, [](const ChannelEntry& entry) { return entry.kind.name; });
    return found == registry.end() ? nullptr : &*found;
}

namespace {

// The witness prints this line. A log's key differs from it in one byte only, so it gets its own error message.
std::string witness_key_flaw(const std::string& vkey) {
    const auto key = audit::NoteKey::parse(vkey, audit::NoteAlgorithm::witness);
    if (key) return {};
    const bool of_a_log = audit::NoteKey::parse(vkey, audit::NoteAlgorithm::log).has_value();
    return of_a_log ? "this is the key of a log, not of a witness" : key.error().detail;
}

}  // namespace

config::Known known_kinds(std::span<const ChannelEntry> registry) {
    config::Known known{.runtimes = runtime_names(),
                        .example_runtime = example_runtime(),
                        .languages = channels::language_tags(),
                        .witness_key_flaw = witness_key_flaw};
    for (const auto& entry : registry) {
        known.kinds.push_back({&entry.kind, entry.open != nullptr || entry.open_screen != nullptr});
    }
    return known;
}

std::string setup_example() {
    const auto entries = channel_registry();
    const auto first = std::ranges::find_if(entries, [](const auto& entry) { return entry.setup != nullptr; });
    return "countersign setup " + std::string{first->kind.name};
}

}  // namespace countersign::app
