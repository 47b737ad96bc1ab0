// SPDX-License-Identifier: Apache-2.0
// Reloader: takes another configuration while the hub runs.
//
// The whole file, every secret and the certificate are checked first, on another thread. If anything is wrong, nothing
// changes and all problems are reported. Otherwise the owner's thread switches in one step: from then on a removed
// person decides nothing, not even open requests, and a removed secret is invalid, also on open connections.
#pragma once

#include "app/anchoring/worker.hpp"
#include "app/host.hpp"
#include "core/configuration.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::app {

// Differences that need a restart, one line each. Pure.
[[nodiscard]] std::vector<std::string> needs_restart(const Configuration& running, const Configuration& wanted);

// Whether the last reload ended less than reload_interval_min ago.
[[nodiscard]] bool is_too_soon(const std::optional<BootTime>& last, BootTime now);

class Reloader final : public Part {
public:
    // Borrows the host, which must have its bridge. `file` is read at each reload.
    Reloader(Host& host, std::string file);

    // Errc::bad_config, with one line per problem: nothing changes, including the hub's readiness, because it works as
    // before. Errc::busy during another reload, or less than reload_interval_min after it.
    boost::asio::awaitable<Result<void>> reload();

private:
    boost::asio::awaitable<Result<void>> load_and_swap();

    Host& host_;
    std::string file_;
    std::unique_ptr<Worker> worker_;  // created at the first reload
    bool busy_ = false;
    std::optional<BootTime> last_;
};

// Enables reloads through Host::reload and the sidecars' socket.
void open_reload(Host& host, std::string file);

}  // namespace countersign::app
