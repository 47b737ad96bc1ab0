// SPDX-License-Identifier: Apache-2.0
// HookAdapter: asks the hub about the one call for which a hook process was started, and prints the decision.
//
// The terminal shows its own dialog meanwhile, and the first answer wins. So whatever goes wrong here prints nothing:
// the dialog stays, and a hub that is away allows nothing.
#pragma once

#include "core/ports/asking.hpp"
#include "runtimes/claude/hook_event.hpp"
#include "runtimes/claude/translate.hpp"
#include "runtimes/file_looks.hpp"
#include "security/redact/current_redactor.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace countersign::runtimes::claude {

class HookAdapter final : public Runtime {
public:
    struct Options {
        std::string agent_id;          // from the start command (I15)
        bool asks_everything = false;  // the settings have the rule that makes the CLI ask about each call
        bool unattended = false;       // no one is at the terminal: what no one decides is denied
        LookAtFiles look;              // empty: the files aren't visible from here
        std::function<Rules()> rules;
        std::function<AlwaysMode()> always;
        // Whether the CLI still waits for us, asked just before an answer is printed. Empty: always.
        std::function<boost::asio::awaitable<bool>()> still_asked;
        std::function<Result<void>(const std::string& line)> print;
    };
    // How it ended: an answer was printed, or why none was.
    struct End {
        bool printed = false;
        std::string why;
    };
    // Borrows the hub and the redactor; it must outlive every forward().
    HookAdapter(Options options, const boost::asio::any_io_executor& executor, Asking& hub,
                const security::CurrentRedactor& redactor);

    // Resolves when the hub has the request or refused it.
    boost::asio::awaitable<void> ask(PermissionAsked asked, Ulid id);
    boost::asio::awaitable<Result<void>> forward(Verdict verdict) override;
    // Nothing is printed from here on.
    void withdraw(std::string why);

    [[nodiscard]] const std::optional<End>& end() const { return end_; }
    // Resolves when it has ended, or after this time.
    boost::asio::awaitable<void> ended(std::chrono::milliseconds time_max);
    // Lets ended() resolve now.
    void wake() { changed_.cancel(); }

private:
    boost::asio::awaitable<Result<Translated>> translated(const PermissionAsked& asked, Ulid id);
    void finish(End end);

    Options options_;
    Asking& hub_;
    const security::CurrentRedactor& redactor_;
    boost::asio::steady_timer changed_;
    std::optional<RawCall> raw_;  // set while the hub may answer
    std::optional<End> end_;
};

}  // namespace countersign::runtimes::claude
