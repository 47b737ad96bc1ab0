// SPDX-License-Identifier: Apache-2.0
// A look at the files of one call: what to look at, what was seen, and which thread looks.
//
// An agent can name a directory on a file system that never responds (FUSE, NFS). So the owner thread does not look
// itself: it passes a description to another thread and waits for the result with a deadline. Both are values, so a
// thread that hangs uses nothing that its caller owns.
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
    std::optional<CallFacts> facts = {};    // empty: a question, which has no files
    std::vector<std::string> scripts = {};  // files whose content is hashed
    std::string directory = {};             // raw; for the workplace
};
// The look for an approval.
[[nodiscard]] Sought sought_of(const CallFacts& facts, const security::Redactor& redactor);

struct Seen {
    std::optional<FileView> view = {};  // empty: the agent's files are not visible from here
    std::map<std::string, FileDigest> digests = {};
    Workplace place = {};  // raw
};

// May block forever.
[[nodiscard]] Seen look(const Sought& sought, const AgentFiles& files, const FindWorkplace& place);
// The result if a look did not end in time. Stricter than having no access at all: the agent may have chosen a path
// that hangs so that we cannot see where it leads.
[[nodiscard]] Seen unseen(const AgentFiles& files, const FindWorkplace& place);
// Access for the translation of a call: returns what was seen and never reads the disk. Borrows `seen`.
[[nodiscard]] AgentFiles files_in(const Seen& seen);

// FileLooks: runs work that may block forever.
class FileLooks {
public:
    virtual ~FileLooks() = default;
    // Resolves to true when the work has ended, or to false after file_look_max, or at once if no thread can start it
    // by then. The work may continue after that, so it must own everything it uses.
    virtual boost::asio::awaitable<bool> run(std::function<void()> work) = 0;
};

// How an adapter looks at files. Empty: neither files nor workplace are visible from here.
using LookAtFiles = std::function<boost::asio::awaitable<Seen>(Sought sought)>;
// Borrows `looks`.
[[nodiscard]] LookAtFiles look_with(FileLooks& looks, AgentFiles files, FindWorkplace place);

}  // namespace countersign::runtimes
