// SPDX-License-Identifier: Apache-2.0
// What the files of a log are called; FORMAT.md says what is in them. Segments name themselves, in segment.hpp.
#pragma once

namespace countersign::audit {

inline constexpr const char* log_directory = "audit";   // in the state directory
inline constexpr const char* begun_name = "log.begun";  // beside it
inline constexpr const char* vkey_name = "log.vkey";
inline constexpr const char* checkpoint_name = "checkpoint";
inline constexpr const char* text_directory = "text";
inline constexpr const char* cosigned_directory = "cosigned";  // what witnesses signed
inline constexpr const char* posted_directory = "posted";      // what chats were shown

}  // namespace countersign::audit
