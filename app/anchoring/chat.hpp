// SPDX-License-Identifier: Apache-2.0
// ChatObserver: posts checkpoints in a chat. Its members keep them even if an attacker takes over this machine.
#pragma once

#include "app/anchoring/checkpoint_observer.hpp"
#include "app/anchoring/worker.hpp"
#include "audit/file_system.hpp"
#include "core/configuration.hpp"
#include "core/hub/hub.hpp"

#include <optional>
#include <string>

namespace countersign::app {

class ChatObserver final : public CheckpointObserver {
public:
    struct Ports {  // borrowed
        Hub& hub;
        Clock& clock;
        Worker& worker;
        audit::FileSystem& files;
        std::string directory;  // of the log
    };
    ChatObserver(AnchorConfig config, Ports ports, Telling telling);

    boost::asio::awaitable<bool> show(audit::Checkpoint checkpoint) override;
    // When the chat last got one before this start. Blocks.
    [[nodiscard]] std::optional<WallTime> last() const;

private:
    [[nodiscard]] std::string place() const { return config_.channel + "/" + config_.chat; }

    AnchorConfig config_;
    Ports ports_;
    Telling telling_;
};

// The message: readable by people, and a valid anchor when pasted into a file.
[[nodiscard]] Announcement announcement_of(const audit::Checkpoint& checkpoint, const std::string& chat);

}  // namespace countersign::app
