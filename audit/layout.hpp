// SPDX-License-Identifier: Apache-2.0
// File names of a log; FORMAT.md describes their contents. Segments are named in segment.hpp.
#pragma once

#include <string>
#include <string_view>

namespace countersign::audit {

inline constexpr const char* log_directory = "audit";   // in the state directory
inline constexpr const char* begun_name = "log.begun";  // next to it
inline constexpr const char* vkey_name = "log.vkey";
inline constexpr const char* checkpoint_name = "checkpoint";
inline constexpr const char* spare_name = "segment.new";  // the next segment: zeros until it is needed
inline constexpr const char* text_directory = "text";
inline constexpr const char* cosigned_directory = "cosigned";  // what witnesses cosigned
inline constexpr const char* posted_directory = "posted";      // what was posted in chats

// The file name for a log, a witness or a chat: a hash, because their names may contain any character.
[[nodiscard]] std::string file_name_of(std::string_view name);

}  // namespace countersign::audit
