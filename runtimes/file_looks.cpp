// SPDX-License-Identifier: Apache-2.0
#include "runtimes/file_looks.hpp"

#include "runtimes/scripts.hpp"

#include <memory>
#include <utility>

namespace countersign::runtimes {

namespace asio = boost::asio;

namespace {

asio::awaitable<Seen> look_in_time(FileLooks& looks, AgentFiles files, FindWorkplace place, Sought sought) {
    const auto seen = std::make_shared<Seen>();
    auto work = [seen, files, place, sought = std::move(sought)] { *seen = look(sought, files, place); };
    if (co_await looks.run(std::move(work))) co_return std::move(*seen);
    co_return unseen(files, place);
}

}  // namespace

Sought sought_of(const CallFacts& facts, const security::Redactor& redactor) {
    return {.facts = facts, .scripts = script_paths(facts, redactor), .directory = facts.cwd};
}

Seen look(const Sought& sought, const AgentFiles& files, const FindWorkplace& place) {
    Seen seen;
    if (sought.facts && files.view) seen.view = files.view(*sought.facts);
    if (files.digest) {
        for (const auto& path : sought.scripts) seen.digests.emplace(path, files.digest(path));
    }
    if (place) seen.place = place(sought.directory);
    return seen;
}

Seen unseen(const AgentFiles& files, const FindWorkplace& place) {
    Seen seen;
    if (files.view) seen.view = FileView{.complete = false, .in_time = false};
    if (place) seen.place = place("");
    return seen;
}

AgentFiles files_in(const Seen& seen) {
    if (!seen.view) return {};
    return {.view = [&seen](const CallFacts&) { return *seen.view; },
            .digest =
                [&seen](const std::string& path) {
                    const auto found = seen.digests.find(path);
                    return found == seen.digests.end() ? FileDigest{.kind = FileDigest::Kind::unreadable}
                                                       : found->second;
                }};
}

LookAtFiles look_with(FileLooks& looks, AgentFiles files, FindWorkplace place) {
    return [&looks, files = std::move(files), place = std::move(place)](Sought sought) {
        return look_in_time(looks, files, place, std::move(sought));
    };
}

}  // namespace countersign::runtimes
