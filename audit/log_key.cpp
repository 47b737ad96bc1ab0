// SPDX-License-Identifier: Apache-2.0
#include "audit/log_key.hpp"

#include "audit/layout.hpp"
#include "core/limits.hpp"

namespace countersign::audit {

Result<NoteKey> read_log_key(FileSystem& files, const std::string& directory) {
    const auto path = directory + "/" + vkey_name;
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return Error{Errc::damaged, "log.vkey is missing; give the log's key with --vkey"};
    const auto bytes = read_whole(files, path, limits::record_bytes_max);
    if (!bytes) return bytes.error();
    if (!bytes->ends_with('\n')) return Error{Errc::damaged, "log.vkey does not hold a key"};
    auto key = NoteKey::parse(std::string_view{*bytes}.substr(0, bytes->size() - 1));
    if (!key) return Error{Errc::damaged, "log.vkey does not hold a key: " + key.error().detail};
    return key;
}

}  // namespace countersign::audit
