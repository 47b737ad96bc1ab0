// SPDX-License-Identifier: Apache-2.0
#include "audit/unlogged.hpp"

#include "core/limits.hpp"

namespace countersign::audit {
namespace {

std::string place_in(const std::string& directory) { return directory + "/unlogged"; }

}  // namespace

Result<void> prepare_unlogged(FileSystem& files, const std::string& directory) {
    return files.make_directory(place_in(directory));
}

Result<void> note_unlogged(FileSystem& files, const std::string& directory, const Ulid& request) {
    const auto noted = files.open(place_in(directory) + "/" + request.str(), FileSystem::Mode::create);
    if (!noted) return noted.error();
    return {};
}

Result<std::set<std::string>> read_unlogged(FileSystem& files, const std::string& directory) {
    std::set<std::string> requests;
    const auto there = files.exists(place_in(directory));
    if (!there) return there.error();
    if (!*there) return requests;
    const auto names = files.list(place_in(directory));
    if (!names) return names.error();
    for (const auto& name : *names) {
        if (requests.size() >= limits::pending_requests_max) break;
        if (Ulid::parse(name)) requests.insert(name);
    }
    return requests;
}

void forget_unlogged(FileSystem& files, const std::string& directory, const std::set<std::string>& requests) {
    for (const auto& request : requests) (void)files.remove(place_in(directory) + "/" + request);
}

}  // namespace countersign::audit
