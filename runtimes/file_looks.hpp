// SPDX-License-Identifier: Apache-2.0
// A look at the files of one call: what to look at, what was seen, and who looks.
//
// A directory that an agent names can be on a file system that never answers (FUSE, NFS). So the thread that owns the
// state doesn't look: it says what to look at, another thread does, and the answer is waited for with a deadline. Both
// are values, so a thread that hangs uses nothing that its caller owns.
#pragma once

#include "runtimes/file_view.hpp"
#include "runtimes/workplace.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace countersign::runtimes {

struct Sought {
    std::optional<CallFacts> facts = {};    // nothing: it is a question, which has no files
    std::vector<std::string> scripts = {};  // whose content is hashed
    std::string directory = {};             // raw; for the workplace
};
// Of an approval.
[[nodiscard]] Sought sought_of(const CallFacts& facts, const security::Redactor& redactor);

struct Seen {
    std::optional<FileView> view = {};  // nothing: the agent's files are not visible from here
    std::map<std::string, FileDigest> digests = {};
    Workplace place = {};  // raw
};

// May block for ever.
[[nodiscard]] Seen look(const Sought& sought, const AgentFiles& files, const FindWorkplace& place);
// What is known when a look did not end in time: stricter than no sight at all, because the agent may have chosen a
// path that hangs so that nobody sees where it leads.
[[nodiscard]] Seen unseen(const AgentFiles& files, const FindWorkplace& place);
// For the translation of a call: it reads what was seen, and no disk. Borrows it.
[[nodiscard]] AgentFiles files_in(const Seen& seen);

// FileLooks: where work that may block for ever is run.
class FileLooks {
public:
    virtual ~FileLooks() = default;
    // Resolves to true when the work has ended; to false after file_look_max, or at once where it could not be begun by
    // then. The work may still run after that, so it must own all that it uses.
    virtual boost::asio::awaitable<bool> run(std::function<void()> work) = 0;
};

// What an adapter looks with. None: neither files nor workplace are visible from here.
using LookAtFiles = std::function<boost::asio::awaitable<Seen>(Sought sought)>;
// Borrows `looks`.
[[nodiscard]] LookAtFiles look_with(FileLooks& looks, AgentFiles files, FindWorkplace place);

}  // namespace countersign::runtimes
