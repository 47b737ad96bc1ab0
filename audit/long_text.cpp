// SPDX-License-Identifier: Apache-2.0
#include "audit/long_text.hpp"

#include "audit/layout.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

namespace countersign::audit {

Result<std::string> read_long_text(FileSystem& files, const std::string& directory, std::uint64_t seq,
                                   std::string_view hash) {
    const auto whose = "the long text of record " + std::to_string(seq);
    // The name comes from the log: it becomes a path only if it looks like a SHA-256.
    if (const auto digest = security::hex_decode(hash); !digest || digest->size() != sizeof(security::Digest)) {
        return Error{Errc::damaged, whose + " has no name that can be one"};
    }
    const auto name = std::string{text_directory} + "/" + std::string{hash};
    const auto path = directory + "/" + name;
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (!*there) return Error{Errc::damaged, whose + " is missing: " + name};
    auto text = read_whole(files, path, limits::record_text_bytes_max);
    if (!text && text.error().code == Errc::unavailable)
        return Error{Errc::unavailable, whose + ": " + text.error().detail};
    if (!text || security::hex(security::sha256(*text)) != hash) {
        return Error{Errc::damaged, whose + " was changed: " + name};
    }
    return text;
}

}  // namespace countersign::audit
