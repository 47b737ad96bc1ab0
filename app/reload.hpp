// SPDX-License-Identifier: Apache-2.0
// Reloader: takes another configuration while the hub runs.
//
// The whole file, every secret and the certificate are checked first, off the owner's thread; if anything is wrong
// nothing changes and all of it is said. Else one swap on the owner's thread: who was removed decides nothing from then
// on, also about requests that wait, and a secret that was removed fits nothing, also on connections that are open.
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

// What differs and cannot change under a hub that runs, a line each. Pure.
[[nodiscard]] std::vector<std::string> needs_restart(const Configuration& running, const Configuration& wanted);

// Whether the last one ended less than reload_interval_min ago.
[[nodiscard]] bool is_too_soon(const std::optional<BootTime>& last, BootTime now);

class Reloader final : public Part {
public:
    // Borrows the host, which has its bridge. `file` is read at each reload.
    Reloader(Host& host, std::string file);

    // Errc::bad_config with a line for each thing that is wrong: nothing has changed, also not whether the hub is
    // ready, because it does its work as before. Errc::busy while another reload is under way, or less than
    // reload_interval_min after the last one.
    boost::asio::awaitable<Result<void>> reload();

private:
    boost::asio::awaitable<Result<void>> load_and_swap();

    Host& host_;
    std::string file_;
    std::unique_ptr<Worker> worker_;  // from the first reload on
    bool busy_ = false;
    std::optional<BootTime> last_;
};

// From now on the host answers to Host::reload and to its sidecars' socket.
void open_reload(Host& host, std::string file);

}  // namespace countersign::app
