// SPDX-License-Identifier: Apache-2.0
#include "tests/audit/memory_file_system.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace countersign::fakes {
namespace {

constexpr std::size_t sectors_of_disks[] = {512, 4096};

std::string parent(const std::string& path) { return path.substr(0, path.rfind('/')); }

Error no_entry(const std::string& path) { return {.code = Errc::unavailable, .detail = "no such file: " + path}; }

// Fills a block that was allocated but never written: it contains zeros or old data.
void fill(std::string& bytes, std::size_t from, std::mt19937_64& random) {
    if (random() % 4 != 0) return;
    for (auto at = from; at < bytes.size(); ++at) bytes[at] = static_cast<char>(random());
}

// Each unsynced sector is there or not, and so is a change of the size.
std::string cut(const MemoryFileSystem::Inode& inode, std::mt19937_64& random) {
    const auto& [now, on_disk, lost] = inode;
    if (now == on_disk) return now;
    const auto sector_bytes = sectors_of_disks[random() % 2];
    std::string left(random() % 2 == 0 ? now.size() : on_disk.size(), '\0');
    fill(left, std::min(on_disk.size(), left.size()), random);
    for (std::size_t at = 0; at < left.size(); at += sector_bytes) {
        const auto& source = random() % 2 == 0 && !lost ? now : on_disk;
        if (at >= source.size()) continue;
        const auto length = std::min({sector_bytes, left.size() - at, source.size() - at});
        left.replace(at, length, source, at, length);
    }
    return left;
}

}  // namespace

class MemoryFile final : public audit::File {
public:
    MemoryFile(MemoryFileSystem& disk, std::string path, std::shared_ptr<MemoryFileSystem::Inode> inode)
        : disk_{disk}, path_{std::move(path)}, inode_{std::move(inode)} {}

    Result<std::uint64_t> size() override {
        const std::lock_guard lock{disk_.mutex_};
        if (auto fault = disk_.fault("stat")) return *fault;
        return inode_->now.size();
    }
    Result<std::size_t> read_some(std::uint64_t offset, std::span<char> into) override {
        const std::lock_guard lock{disk_.mutex_};
        if (auto fault = disk_.fault("read")) return *fault;
        if (offset >= inode_->now.size()) return std::size_t{0};
        return inode_->now.copy(into.data(), into.size(), offset);
    }
    Result<std::size_t> write_some(std::uint64_t offset, std::string_view bytes) override {
        const std::lock_guard lock{disk_.mutex_};
        if (auto fault = disk_.fault("write")) return *fault;
        bytes = bytes.substr(0, disk_.write_at_most_);
        if (inode_->now.size() < offset + bytes.size()) inode_->now.resize(offset + bytes.size());
        inode_->now.replace(offset, bytes.size(), bytes);
        return bytes.size();
    }
    Result<void> truncate(std::uint64_t size) override {
        const std::lock_guard lock{disk_.mutex_};
        if (auto fault = disk_.fault("truncate")) return *fault;
        inode_->now.resize(size);
        return {};
    }
    Result<void> still_named() override {
        const std::lock_guard lock{disk_.mutex_};
        if (auto fault = disk_.fault("stat")) return *fault;
        const auto found = disk_.entries_.find(path_);
        if (found != disk_.entries_.end() && found->second == inode_) return {};
        return Error{Errc::damaged, path_ + " was removed or replaced"};
    }
    Result<void> begin_sync() override {
        const std::lock_guard lock{disk_.mutex_};
        if (auto fault = disk_.fault("begin_sync")) return *fault;
        return {};
    }
    Result<void> sync() override {
        std::unique_lock lock{disk_.mutex_};
        ++disk_.syncs_;
        ++disk_.hanging_;
        disk_.changed_.notify_all();
        disk_.changed_.wait(lock, [&] { return !disk_.hang_; });
        --disk_.hanging_;
        if (auto fault = disk_.fault("sync")) {
            inode_->lost = !disk_.forever_;  // if the process ends here, the sync didn't fail: it was interrupted
            return *fault;
        }
        if (!inode_->lost) inode_->on_disk = inode_->now;
        return {};
    }

private:
    MemoryFileSystem& disk_;
    std::string path_;
    std::shared_ptr<MemoryFileSystem::Inode> inode_;
};

Result<std::unique_ptr<audit::File>> MemoryFileSystem::open(const std::string& path, Mode mode) {
    const std::lock_guard lock{mutex_};
    if (auto fault = this->fault("open")) return *fault;
    if (mode == Mode::create) {
        entries_[path] = std::make_shared<Inode>();  // another file than the one that had this name
    }
    const auto found = entries_.find(path);
    if (found == entries_.end()) return no_entry(path);
    return std::unique_ptr<audit::File>{std::make_unique<MemoryFile>(*this, path, found->second)};
}

Result<bool> MemoryFileSystem::exists(const std::string& path) {
    const std::lock_guard lock{mutex_};
    if (auto fault = this->fault("stat")) return *fault;
    return entries_.contains(path) || !below(path).empty();
}

// The files in a directory and in those below it.
std::vector<std::string> MemoryFileSystem::below(const std::string& directory) const {
    std::vector<std::string> found;
    for (const auto& [path, inode] : entries_) {
        if (path.starts_with(directory + "/")) found.push_back(path);
    }
    return found;
}

Result<std::vector<std::string>> MemoryFileSystem::list(const std::string& directory) {
    const std::lock_guard lock{mutex_};
    if (auto fault = this->fault("list")) return *fault;
    std::vector<std::string> names;
    for (const auto& [path, inode] : entries_) {
        if (parent(path) == directory) names.push_back(path.substr(directory.size() + 1));
    }
    return names;
}

Result<void> MemoryFileSystem::make_directory(const std::string&) {
    const std::lock_guard lock{mutex_};
    if (auto fault = this->fault("mkdir")) return *fault;
    return {};
}

Result<void> MemoryFileSystem::rename(const std::string& from, const std::string& to) {
    const std::lock_guard lock{mutex_};
    if (auto fault = this->fault("rename")) return *fault;
    if (const auto inside = below(from); !inside.empty()) {
        for (const auto& path : inside) entries_[to + path.substr(from.size())] = entries_.extract(path).mapped();
        return {};
    }
    const auto found = entries_.find(from);
    if (found == entries_.end()) return no_entry(from);
    entries_[to] = found->second;
    entries_.erase(found);
    return {};
}

Result<void> MemoryFileSystem::remove(const std::string& path) {
    const std::lock_guard lock{mutex_};
    if (auto fault = this->fault("remove")) return *fault;
    if (entries_.erase(path) == 0) return no_entry(path);
    return {};
}

Result<void> MemoryFileSystem::sync_directory(const std::string& directory) {
    const std::lock_guard lock{mutex_};
    if (auto fault = this->fault("sync_directory")) return *fault;
    std::erase_if(entries_on_disk_, [&](const auto& entry) { return parent(entry.first) == directory; });
    for (const auto& entry : entries_) {
        if (parent(entry.first) == directory) entries_on_disk_.insert(entry);
    }
    return {};
}

std::optional<Error> MemoryFileSystem::fault(const std::string& what) {
    if (before_call) before_call();
    const auto call = calls_++;
    if (fail_next_ == what) {
        fail_next_.reset();
        has_failed_ = true;
        return Error{Errc::unavailable, "injected: " + what};
    }
    if (!fail_at_ || call < *fail_at_ || (call > *fail_at_ && !forever_)) return std::nullopt;
    has_failed_ = true;
    return Error{Errc::unavailable, "injected: " + what};
}

void MemoryFileSystem::fail(std::size_t nth, bool forever) {
    const std::lock_guard lock{mutex_};
    fail_at_ = calls_ + nth;
    forever_ = forever;
}

void MemoryFileSystem::fail_next(std::string call) {
    const std::lock_guard lock{mutex_};
    fail_next_ = std::move(call);
}

bool MemoryFileSystem::has_failed() {
    const std::lock_guard lock{mutex_};
    return has_failed_;
}

std::size_t MemoryFileSystem::calls() {
    const std::lock_guard lock{mutex_};
    return calls_;
}

std::size_t MemoryFileSystem::syncs() {
    const std::lock_guard lock{mutex_};
    return syncs_;
}

void MemoryFileSystem::write_at_most(std::size_t bytes) {
    const std::lock_guard lock{mutex_};
    write_at_most_ = bytes;
}

void MemoryFileSystem::hang(bool hanging) {
    const std::lock_guard lock{mutex_};
    hang_ = hanging;
    changed_.notify_all();
}

void MemoryFileSystem::wait_for_hanging() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return hanging_ > 0; });
}

std::unique_ptr<MemoryFileSystem> MemoryFileSystem::after_power_cut(std::uint64_t seed) {
    const std::lock_guard lock{mutex_};
    return image(seed);
}

std::unique_ptr<MemoryFileSystem> MemoryFileSystem::image(std::uint64_t seed) const {
    std::mt19937_64 random{seed};
    auto left = std::make_unique<MemoryFileSystem>();
    std::set<std::string> paths;
    for (const auto& entry : entries_) paths.insert(entry.first);
    for (const auto& entry : entries_on_disk_) paths.insert(entry.first);
    std::map<std::shared_ptr<Inode>, std::shared_ptr<Inode>> survivors;
    for (const auto& path : paths) {
        // An unsynced name is there or not.
        const auto& source = random() % 2 == 0 ? entries_ : entries_on_disk_;
        const auto found = source.find(path);
        if (found == source.end()) continue;
        auto& survivor = survivors[found->second];
        if (survivor == nullptr) {
            auto bytes = cut(*found->second, random);
            survivor = std::make_shared<Inode>(Inode{.now = bytes, .on_disk = bytes, .lost = false});
        }
        left->entries_[path] = left->entries_on_disk_[path] = survivor;
    }
    return left;
}

std::size_t MemoryFileSystem::fingerprint() {
    const std::lock_guard lock{mutex_};
    std::size_t all = 0;
    const auto add = [&](std::string_view bytes) {
        all = all * 0x9E3779B97F4A7C15U + std::hash<std::string_view>{}(bytes);
    };
    for (const auto& [path, inode] : entries_) {
        add(path);
        add(inode->now);
    }
    return all;
}

std::unique_ptr<MemoryFileSystem> MemoryFileSystem::copy() {
    const std::lock_guard lock{mutex_};
    auto twin = std::make_unique<MemoryFileSystem>();
    std::map<std::shared_ptr<Inode>, std::shared_ptr<Inode>> copies;
    const auto copy_of = [&](const std::shared_ptr<Inode>& inode) {
        auto& made = copies[inode];
        if (made == nullptr) made = std::make_shared<Inode>(*inode);
        return made;
    };
    for (const auto& [path, inode] : entries_) twin->entries_[path] = copy_of(inode);
    for (const auto& [path, inode] : entries_on_disk_) twin->entries_on_disk_[path] = copy_of(inode);
    return twin;
}

std::string MemoryFileSystem::read(const std::string& path) {
    const std::lock_guard lock{mutex_};
    const auto found = entries_.find(path);
    return found == entries_.end() ? std::string{} : found->second->now;
}

void MemoryFileSystem::write(const std::string& path, std::string bytes) {
    const std::lock_guard lock{mutex_};
    entries_[path] = entries_on_disk_[path] = std::make_shared<Inode>(Inode{.now = bytes, .on_disk = bytes});
}

std::vector<std::string> MemoryFileSystem::paths() {
    const std::lock_guard lock{mutex_};
    std::vector<std::string> names;
    for (const auto& entry : entries_) names.push_back(entry.first);
    return names;
}

}  // namespace countersign::fakes
