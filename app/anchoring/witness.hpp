// SPDX-License-Identifier: Apache-2.0
// WitnessObserver: asks a witness (c2sp.org/tlog-witness) to cosign the log's checkpoints, with a proof that the log
// grew.
//
// A refusal by the witness is an alarm: either the log's history was changed, or two logs have the same name.
#pragma once

#include "app/anchoring/checkpoint_observer.hpp"
#include "app/anchoring/worker.hpp"
#include "audit/file_system.hpp"
#include "audit/note.hpp"
#include "audit/witness_client.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/http_client.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace countersign::app {

class WitnessObserver final : public CheckpointObserver {
public:
    struct Ports {  // borrowed
        HttpClient& http;
        const Clock& clock;
        Worker& worker;
        audit::FileSystem& files;
        std::string directory;  // of the log
    };
    // Reads the last note that this witness signed. Blocks.
    WitnessObserver(std::string url, audit::NoteKey key, Ports ports, Telling telling);

    boost::asio::awaitable<bool> show(audit::Checkpoint checkpoint) override;
    [[nodiscard]] bool sees_the_end() const override { return true; }
    // When it last signed before this start.
    [[nodiscard]] std::optional<WallTime> last() const { return last_; }

private:
    boost::asio::awaitable<audit::WitnessAnswer> ask(const audit::Checkpoint& checkpoint, std::uint64_t old_size);
    boost::asio::awaitable<void> keep(std::string note);
    void refused(const audit::Tree& tree, const audit::WitnessAnswer& answer);
    void failed(const std::string& why);

    std::string url_;
    audit::NoteKey key_;
    Ports ports_;
    Telling telling_;
    std::uint64_t seen_ = 0;  // the tree size that it last saw, as far as we know
    std::optional<WallTime> last_;
    std::string recorded_;  // the refusal already recorded in the log
    std::string told_;      // the failure already reported to the operator
};

}  // namespace countersign::app
