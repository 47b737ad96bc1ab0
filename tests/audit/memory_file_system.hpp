// SPDX-License-Identifier: Apache-2.0
// An in-memory disk that fails, shortens or hangs on request, and that knows what a power cut would leave.
//
// After a failed sync it behaves as Linux does: the bytes can still be read, and no later sync writes them.
#pragma once

#include "audit/file_system.hpp"

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace countersign::fakes {

class MemoryFileSystem final : public audit::FileSystem {
public:
    struct Inode {
        std::string now;      // what a reader sees
        std::string on_disk;  // what was synced
        bool lost = false;    // a sync failed
    };

    Result<std::unique_ptr<audit::File>> open(const std::string& path, Mode mode) override;
    Result<bool> exists(const std::string& path) override;
    Result<std::vector<std::string>> list(const std::string& directory) override;
    Result<void> make_directory(const std::string& path) override;
    Result<void> rename(const std::string& from, const std::string& to) override;
    Result<void> remove(const std::string& path) override;
    Result<void> sync_directory(const std::string& path) override;

    // The n-th call from now fails, counted from 0. With `forever` all later ones fail too, as for a process that ends
    // there.
    void fail(std::size_t nth, bool forever = false);
    // The next call with this name fails: "open", "write", "sync", "begin_sync", "sync_directory" …
    void fail_next(std::string call);
    [[nodiscard]] bool has_failed();
    [[nodiscard]] std::size_t calls();
    [[nodiscard]] std::size_t syncs();
    void write_at_most(std::size_t bytes);
    // Syncs wait until they are released.
    void hang(bool hanging);
    // Waits until a call hangs in a sync.
    void wait_for_hanging();

    // The disk after a power failure: `seed` decides for each unsynced sector whether it is kept or lost.
    [[nodiscard]] std::unique_ptr<MemoryFileSystem> after_power_cut(std::uint64_t seed);
    [[nodiscard]] std::unique_ptr<MemoryFileSystem> copy();
    // Called before each call, while the disk is locked. Of its members only image() may be used there.
    std::function<void()> before_call;
    // after_power_cut(), while the disk is locked.
    [[nodiscard]] std::unique_ptr<MemoryFileSystem> image(std::uint64_t seed) const;
    // A hash of all names and bytes, to recognise an image.
    [[nodiscard]] std::size_t fingerprint();

    [[nodiscard]] std::string read(const std::string& path);
    void write(const std::string& path, std::string bytes);
    [[nodiscard]] std::vector<std::string> paths();

private:
    friend class MemoryFile;
    using Entries = std::map<std::string, std::shared_ptr<Inode>>;

    [[nodiscard]] std::vector<std::string> below(const std::string& directory) const;
    [[nodiscard]] std::optional<Error> fault(const std::string& what);  // requires the mutex
    std::mutex mutex_;
    std::condition_variable changed_;
    Entries entries_;
    Entries entries_on_disk_;
    std::size_t calls_ = 0;
    std::size_t syncs_ = 0;
    std::optional<std::size_t> fail_at_;
    bool forever_ = false;
    std::optional<std::string> fail_next_;
    bool has_failed_ = false;
    bool hang_ = false;
    std::size_t hanging_ = 0;
    std::size_t write_at_most_ = static_cast<std::size_t>(-1);
};

}  // namespace countersign::fakes
