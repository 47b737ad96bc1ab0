// SPDX-License-Identifier: Apache-2.0
#include "security/secret_file.hpp"

#include "security/directory_chain.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>

namespace countersign::security {
namespace {

class Descriptor {
public:
    explicit Descriptor(int number) : number_{number} {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return number_; }

private:
    int number_;
};

Error refused(const std::filesystem::path& path, const std::string& why) {
    return {Errc::missing_secret, path.string() + ' ' + why};
}

std::string reason_of(int code) { return std::generic_category().message(code); }

Error not_opened(const std::filesystem::path& path, int code) {
    if (code == ENOENT) return refused(path, "does not exist: write the secret there and run chmod 600 on it");
    if (code == ELOOP) return refused(path, "is a symbolic link: name the file itself");
    return refused(path, "cannot be opened: " + reason_of(code));
}

Result<void> check_status(const std::filesystem::path& path, const struct stat& status, const SecretFileRules& rules) {
    if (!S_ISREG(status.st_mode)) return refused(path, "is not a regular file");
    if (status.st_uid != rules.owner && status.st_uid != 0) {
        return refused(path, "belongs to uid " + std::to_string(status.st_uid) + ": run chown " +
                                 std::to_string(rules.owner) + ' ' + path.string());
    }
    const mode_t others = S_IRWXO | S_IRWXG;
    const mode_t tolerated = rules.group_may_read ? S_IRGRP : 0;
    if ((status.st_mode & others & ~tolerated) != 0) {
        return refused(path, "is open to group or others: run chmod 600 " + path.string() + ", and replace " +
                                 rules.what_to_replace);
    }
    if (static_cast<std::size_t>(status.st_size) > limits::secret_bytes_max) {
        return Error{Errc::too_large, path.string() + " has more than " + std::to_string(limits::secret_bytes_max) +
                                          " bytes: it is not a secret"};
    }
    return {};
}

// Reads straight into locked memory: a buffer in between would keep a copy.
Result<Secret> read_all(const std::filesystem::path& path, const Descriptor& file, std::size_t size) {
    auto secret = Secret::zeroed(size);
    std::size_t have = 0;
    while (have < size) {
        const auto got = ::read(file.get(), secret.writable().data() + have, size - have);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return refused(path, "cannot be read: " + reason_of(errno));
        if (got == 0) break;
        have += static_cast<std::size_t>(got);
    }
    secret.shorten(have);
    return secret;
}

bool is_blank(char symbol) { return symbol == ' ' || (symbol >= '\t' && symbol <= '\r'); }

Result<void> check_content(const std::filesystem::path& path, std::string_view text, std::size_t bytes_min) {
    if (std::ranges::all_of(text, is_blank)) return refused(path, "is empty: write the secret into it");
    if (is_blank(text.front()) || is_blank(text.back())) {
        return refused(path, "has blanks around the secret: write it with printf %s and nothing else");
    }
    if (text.size() < bytes_min) {
        return refused(path, "is too short: a secret has at least " + std::to_string(bytes_min) + " bytes");
    }
    if (std::ranges::all_of(text, [&](char symbol) { return symbol == text.front(); })) {
        return refused(path, "is one character repeated: make a secret with openssl rand -hex 32");
    }
    return {};
}

}  // namespace

Result<Secret> read_secret(const std::filesystem::path& path, const SecretFileRules& rules) {
    // O_NONBLOCK: a named pipe instead of the file must not block the start.
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    if (file.get() < 0) return not_opened(path, errno);
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) return refused(path, "cannot be looked at: " + reason_of(errno));
    if (const auto fit = check_status(path, status, rules); !fit) return fit.error();
    if (const auto fit = check_directory_of(path, rules.owner); !fit) {
        return Error{Errc::missing_secret, path.string() + ": " + fit.error().detail};
    }

    auto secret = read_all(path, file, static_cast<std::size_t>(status.st_size));
    if (!secret) return secret;
    if (!secret->empty() && secret->reveal().back() == '\n') secret->shorten(secret->size() - 1);
    if (const auto fit = check_content(path, secret->reveal(), rules.bytes_min); !fit) return fit.error();
    return secret;
}

Result<Secret> find_secret(std::string_view name_or_path, const std::optional<std::filesystem::path>& credentials,
                           SecretFileRules rules) {
    if (name_or_path.find('/') != std::string_view::npos) return read_secret(name_or_path, rules);
    const std::string name{name_or_path};
    if (name.empty() || name == "." || name == "..") {
        return Error{Errc::missing_secret, "no secret is named: give the path of a file or the name of a credential"};
    }
    if (!credentials) {
        return Error{Errc::missing_secret,
                     "credential " + name +
                         " is not available, $CREDENTIALS_DIRECTORY is not set: start as a systemd "
                         "service with LoadCredential=, or give a path with a '/' in it"};
    }
    rules.group_may_read = true;
    return read_secret(*credentials / name, rules);
}

std::optional<std::filesystem::path> credentials_directory() {
    const char* directory = ::secure_getenv("CREDENTIALS_DIRECTORY");
    if (directory == nullptr || directory[0] != '/') return std::nullopt;
    return directory;
}

}  // namespace countersign::security
