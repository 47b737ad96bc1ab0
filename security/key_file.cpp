// SPDX-License-Identifier: Apache-2.0
#include "security/key_file.hpp"

#include "security/secret_file.hpp"
#include "security/sodium.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <sodium.h>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace countersign::security {
namespace {

constexpr std::size_t file_bytes = 2 * key_bytes + 1;

Error failed(const std::filesystem::path& path, const char* step) {
    return {Errc::unavailable, path.string() + ' ' + step + ": " + std::generic_category().message(errno)};
}

// libsodium's own hex encoder, because it reads and writes locked memory and takes the same time for every key.
Secret written_form(const Secret& key) {
    auto text = Secret::zeroed(file_bytes);
    auto* out = reinterpret_cast<char*>(text.writable().data());
    sodium_bin2hex(out, text.size(), key.bytes().data(), key.size());
    out[file_bytes - 1] = '\n';  // replaces sodium_bin2hex's terminator
    return text;
}

Result<void> write_all(int file, const Secret& text, const std::filesystem::path& path) {
    std::size_t done = 0;
    while (done < text.size()) {
        const auto put = ::write(file, text.bytes().data() + done, text.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return failed(path, "cannot be written");
        done += static_cast<std::size_t>(put);
    }
    if (::fsync(file) != 0) return failed(path, "cannot be synced");
    return {};
}

Result<void> write_new(const std::filesystem::path& path, const Secret& text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (file < 0) return failed(path, "cannot be created");
    auto written = write_all(file, text, path);
    if (::close(file) != 0 && written) return failed(path, "cannot be closed");
    return written;
}

Result<void> sync_directory(const std::filesystem::path& path) {
    const auto directory = path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
    const int handle = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return failed(directory, "cannot be opened");
    const bool synced = ::fsync(handle) == 0;
    const auto result = synced ? Result<void>{} : Result<void>{failed(directory, "cannot be synced")};
    ::close(handle);
    return result;
}

constexpr std::string_view draft_mark = ".new-";
constexpr std::size_t draft_digits = 16;

// Deletes drafts of this key that a killed process left behind, because each may be a second copy of the secret. Call
// only after the key is in place: then no other process needs its draft any more.
void remove_drafts(const std::filesystem::path& path) {
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
    const auto begin = path.filename().string() + std::string{draft_mark};
    std::error_code failure;
    std::vector<std::filesystem::path> drafts;
    for (std::filesystem::directory_iterator entry{folder, failure}, end; !failure && entry != end;
         entry.increment(failure)) {
        const auto name = entry->path().filename().string();
        const bool draft = name.size() == begin.size() + draft_digits && name.starts_with(begin) &&
                           name.find_first_not_of("0123456789abcdef", begin.size()) == std::string::npos;
        if (draft && entry->symlink_status(failure).type() == std::filesystem::file_type::regular) {
            drafts.push_back(entry->path());
        }
    }
    for (const auto& draft : drafts) ::unlink(draft.c_str());
}

// Writes to a unique name and links it into place: a crash leaves no partial key under the real name, and if another
// process created a key meanwhile, that one is kept.
Result<void> create_key(const std::filesystem::path& path) {
    sodium_ready();
    std::array<std::uint8_t, draft_digits / 2> unique{};
    randombytes_buf(unique.data(), unique.size());
    std::array<char, draft_digits + 1> suffix{};
    sodium_bin2hex(suffix.data(), suffix.size(), unique.data(), unique.size());
    const std::filesystem::path draft = path.string() + std::string{draft_mark} + suffix.data();

    auto written = write_new(draft, written_form(Secret::random(key_bytes)));
    // If the draft is gone, another process has put its key in place and cleaned up.
    if (written && ::link(draft.c_str(), path.c_str()) != 0 && errno != EEXIST && errno != ENOENT) {
        written = failed(path, "cannot be linked into place");
    }
    ::unlink(draft.c_str());
    return written ? sync_directory(path) : written;
}

}  // namespace

Result<Secret> load_key(const std::filesystem::path& path, bool group_may_read) {
    // A new log key would invalidate every proof made with the old one.
    const auto text = read_secret(
        path,
        {.bytes_min = 1, .group_may_read = group_may_read, .what_to_replace = "nothing before you know who read it"});
    if (!text) return text.error();
    const Error damaged{Errc::damaged, path.string() +
                                           " is not a key of 64 hexadecimal digits: restore it from a backup; "
                                           "a new key means that open buttons or log proofs end"};
    if (text->size() != 2 * key_bytes) return damaged;
    auto key = Secret::zeroed(key_bytes);
    std::size_t decoded = 0;
    const char* end = nullptr;
    const auto hex = text->reveal();
    const int outcome =
        sodium_hex2bin(key.writable().data(), key.size(), hex.data(), hex.size(), nullptr, &decoded, &end);
    if (outcome != 0 || decoded != key_bytes || end != hex.data() + hex.size()) return damaged;
    return key;
}

Result<Secret> load_or_create_key(const std::filesystem::path& path) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) {
        if (errno != ENOENT) return failed(path, "cannot be looked at");
        if (const auto created = create_key(path); !created) return created.error();
    }
    auto key = load_key(path);
    if (key) remove_drafts(path);
    return key;
}

Result<void> put_in_place(const std::filesystem::path& next, const std::filesystem::path& path) {
    if (::rename(next.c_str(), path.c_str()) != 0) return failed(next, "cannot be put in place");
    return sync_directory(path);
}

}  // namespace countersign::security
