// SPDX-License-Identifier: Apache-2.0
#include "config/config.hpp"

#include "config/document.hpp"
#include "config/sections.hpp"
#include "core/limits.hpp"
#include "security/directory_chain.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace countersign::config {

namespace {

class Descriptor {
public:
    explicit Descriptor(int fd) : fd_{fd} {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    [[nodiscard]] int get() const { return fd_; }

private:
    int fd_;
};

std::string reason_of(int error) { return std::generic_category().message(error); }

// Reads one byte more than allowed, so that parse_config notices a file that grew after its size was read.
bool read_all(int fd, std::string& text) {
    text.resize(limits::config_bytes_max + 1);
    std::size_t have = 0;
    while (have < text.size()) {
        const auto got = ::read(fd, text.data() + have, text.size() - have);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    text.resize(have);
    return true;
}

}  // namespace

ConfigResult parse_config(std::string_view text, std::string file, const Known& known) {
    Problems problems{std::move(file)};
    const auto document = read_document(text, problems);
    if (problems.count() > 0) return std::move(problems).sorted();

    Configuration configuration;
    Fields root{document, {}, problems};
    read_people(root, configuration, known);
    read_groups(root, configuration);
    read_channels(root, configuration, known.kinds);
    read_routes(root, configuration, known);
    read_risk(root, configuration);
    read_policy(root, configuration);
    read_always(root, configuration, known.runtimes);
    read_log(root, configuration, known);
    read_gateway(root, configuration);
    read_limits(root, configuration);
    root.finish();
    if (problems.count() > 0) return std::move(problems).sorted();
    return configuration;
}

ConfigResult load_config(const std::filesystem::path& path, const Known& known) {
    Problems problems{path.string()};
    const auto fail = [&](std::string what, std::string instead) {
        problems.add({}, {}, std::move(what), std::move(instead));
        return std::move(problems).sorted();
    };
    // Without O_NONBLOCK a pipe at this path would block the start forever.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (file.get() < 0) return fail("cannot be opened: " + reason_of(errno), {});
    struct stat info{};
    if (::fstat(file.get(), &info) != 0) return fail("cannot be read: " + reason_of(errno), {});
    if (!S_ISREG(info.st_mode)) return fail("this is no regular file", {});
    // A user who can write this file controls who may decide.
    if (info.st_uid != ::geteuid() && info.st_uid != 0) {
        return fail("this file belongs to uid " + std::to_string(info.st_uid), "it must be yours or root's");
    }
    if ((info.st_mode & S_IWOTH) != 0) return fail("everybody may write this file", "chmod o-w " + path.string());
    if ((info.st_mode & S_IWGRP) != 0) return fail("its group may write this file", "chmod g-w " + path.string());
    if (const auto kept = security::check_directory_of(path); !kept) return fail(kept.error().detail, {});
    std::string text;
    if (!read_all(file.get(), text)) return fail("cannot be read: " + reason_of(errno), {});
    return parse_config(text, path.string(), known);
}

}  // namespace countersign::config
