// SPDX-License-Identifier: Apache-2.0
// The hook processes that wait for an answer, as files of one directory, and which of them another event concerns.
//
// A keyboard's answer isn't reported to the hook that waits; only later hook processes see that the call has ended.
// They meet in this directory (docs/adr/0019): a waiting process keeps a locked file there, and another one writes to
// it. A file that no one has locked belongs to a process that was killed.
#pragma once

#include "core/result.hpp"
#include "core/ulid.hpp"
#include "runtimes/claude/hook_event.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes::claude {

inline constexpr std::size_t waiting_hooks_max = 1'024;         // files that are read; more are ignored
inline constexpr std::chrono::hours answered_call_age_max{24};  // then the file of an answered call is deleted

// A call that waits, or that its hook answered and whose end wasn't reported yet.
struct WaitingCall {
    HookAgent agent;
    std::string call;
    std::string id;  // of the request
    bool answered = false;
    friend bool operator==(const WaitingCall&, const WaitingCall&) = default;
};
[[nodiscard]] std::string file_name(const WaitingCall& call);
[[nodiscard]] std::optional<WaitingCall> waiting_call_of(std::string_view file_name);

// Which calls are over. Of several identical calls it can't be told which one ended, so none is until all of them are.
[[nodiscard]] std::vector<WaitingCall> calls_over(const CallsEnded& ended, const std::vector<WaitingCall>& known);
[[nodiscard]] std::vector<WaitingCall> calls_over(const AgentStopped& stopped, const std::vector<WaitingCall>& known);

// Why a hook need not wait any more.
enum class WaitEnd { answered_in_terminal, turn_ended };
[[nodiscard]] std::string_view words_for(WaitEnd end);

// The file of this process. Locked until it is destroyed.
class WaitingFile {
public:
    // Creates the directory if needed.
    [[nodiscard]] static Result<WaitingFile> create(const std::string& directory, const WaitingCall& call);
    WaitingFile(WaitingFile&& other) noexcept;
    WaitingFile& operator=(WaitingFile&&) = delete;
    WaitingFile(const WaitingFile&) = delete;
    WaitingFile& operator=(const WaitingFile&) = delete;
    // Deletes the file, unless the call was answered here.
    ~WaitingFile();

    // What another process wrote, if any.
    [[nodiscard]] std::optional<WaitEnd> told() const;
    // We answered: the file stays until the end of the call is reported, so that this end isn't taken for that of an
    // identical call.
    void answered_here();

private:
    WaitingFile(std::string directory, WaitingCall call, int descriptor);
    std::string directory_;
    WaitingCall call_;
    int descriptor_;
};

// The calls of this directory. Deletes the files of killed processes, and old ones of answered calls.
[[nodiscard]] std::vector<WaitingCall> waiting_calls(const std::string& directory,
                                                     std::chrono::system_clock::time_point now);
// Tells each process whose call is over, and deletes the files of answered calls.
void report_over(const std::string& directory, const std::vector<WaitingCall>& over, WaitEnd end);

}  // namespace countersign::runtimes::claude
