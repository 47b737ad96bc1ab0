// SPDX-License-Identifier: Apache-2.0
// What the files of a log are called; FORMAT.md says what is in them. Segments name themselves, in segment.hpp.
#pragma once

#include <string>
#include <string_view>

namespace countersign::audit {

inline constexpr const char* log_directory = "audit";   // in the state directory
inline constexpr const char* begun_name = "log.begun";  // beside it
inline constexpr const char* vkey_name = "log.vkey";
inline constexpr const char* checkpoint_name = "checkpoint";
inline constexpr const char* spare_name = "segment.new";  // the next segment, of zeros, until it is needed
inline constexpr const char* text_directory = "text";
inline constexpr const char* cosigned_directory = "cosigned";  // what witnesses signed
inline constexpr const char* posted_directory = "posted";      // what chats were shown

// A file for a log, a witness or a chat. Their names may have any character; the hash of one is a good name for a file.
[[nodiscard]] std::string file_name_of(std::string_view name);

}  // namespace countersign::audit
