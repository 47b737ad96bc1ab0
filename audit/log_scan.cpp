// SPDX-License-Identifier: Apache-2.0
#include "audit/log_scan.hpp"

#include "audit/layout.hpp"
#include "audit/segment.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <vector>

namespace countersign::audit {
namespace {

class Walk {
public:
    // `beside`: the keys next to the log if the trusted one is among them. The first is the one that the log began
    // with.
    Walk(FileSystem& files, const std::string& directory, const NoteKey& trusted, const LogKeys& beside,
         const Walking& walking)
        : files_{files},
          directory_{directory},
          trusted_{trusted},
          beside_{beside},
          walking_{walking},
          chain_{beside.first()},
          reading_{walking.progress, files, directory, "checking"},
          walked_{.tree = chain_.tree(), .keys = chain_.keys()} {}

    Result<Walked> run() {
        // Read the checkpoint before the segments: the log may grow while we read, and in the other order it would seem
        // truncated.
        if (const auto read = read_checkpoint(); !read) return give_up(read.error());
        const auto count = count_segments(files_, directory_);
        if (!count) return give_up(count.error());
        walked_.segments = *count;
        for (std::uint64_t number = 0; number < *count && !walked_.broken; ++number) {
            const auto bytes = read_segment(files_, directory_, number);
            if (!bytes) return give_up(bytes.error());
            if (in_tail_) {
                add_to_tail(*bytes);
            } else {
                read_lines(*bytes, number);
            }
            reading_.segment(bytes->size());
        }
        walked_.tree = {.size = walked_.range.size(), .root = walked_.range.root()};
        if (!walked_.broken) judge_keys();
        if (!walked_.broken) judge();
        walked_.signatures = chain_.signatures_checked();
        walked_.unchecked = chain_.signatures_unchecked();
        walked_.missing = chain_.signatures_missing();
        walked_.keys = chain_.keys();
        return std::move(walked_);
    }

private:
    // An unreadable file is an error; a readable but invalid one is a finding.
    Result<Walked> give_up(const Error& error) {
        if (error.code == Errc::unavailable) return error;
        walked_.tree = {.size = walked_.range.size(), .root = walked_.range.root()};
        walked_.broken = error;
        return std::move(walked_);
    }

    Result<void> read_checkpoint() {
        const auto path = directory_ + "/" + checkpoint_name;
        const auto there = files_.exists(path);
        if (!there) return there.error();
        if (!*there) return {};
        const auto bytes = read_whole(files_, path, limits::record_bytes_max);
        if (!bytes) return bytes.error();
        // Its signature is checked later, when the log has told its keys. Until then a wrong checkpoint can only make
        // us refuse more.
        const auto tree = parse_checkpoint(bytes->substr(0, bytes->find("\n\n") + 1), chain_.keys().origin());
        if (!tree) return Error{Errc::damaged, "the checkpoint file does not hold: " + tree.error().detail};
        checkpoint_note_ = *bytes;
        checkpoint_ = *tree;
        walked_.checkpoint_size = tree->size;
        return {};
    }

    void read_lines(std::string_view bytes, std::uint64_t number) {
        const bool last = number + 1 == walked_.segments;
        const auto check = last ? walking_.check_in_last : walking_.check;
        SegmentLines lines{bytes};
        std::string why;
        std::size_t covered = 0;
        while (const auto line = lines.next()) {
            auto taken = chain_.take(*line, check);
            if (!taken && taken.error().code != Errc::malformed) return refuse(taken.error());
            if (!taken) {
                why = taken.error().detail;
                break;
            }
            if (!agrees_with_checkpoint() || !agrees_with_anchors()) return;
            reading_.record(lines.offset());
            const auto signature = taken->signature;
            batch_.push_back(std::move(*taken));
            if (signature.empty()) continue;
            covered = lines.offset();
            hold(number, covered);
        }
        if (const auto good = chain_.check_last(); !good) return refuse(good.error());
        begin_tail(number, bytes.substr(covered), why);
    }

    // A signature covers the batch, so its records are valid from here on.
    void hold(std::uint64_t number, std::uint64_t offset) {
        walked_.segment = number;
        walked_.offset = offset;
        walked_.range = chain_.range();
        walked_.signature = batch_.back().signature;
        walked_.last_kind = batch_.back().head.kind;
        for (const auto& taken : batch_) {
            if (walking_.head) walking_.head(taken.head);
            if (walking_.anchor && taken.head.kind == anchor_kind) walking_.anchor(*parse_record(taken.json));
            // It was parsed once already, so this succeeds.
            if (walking_.record) walking_.record(*parse_record(taken.json));
        }
        batch_.clear();
    }

    bool agrees_with_checkpoint() {
        const auto size = chain_.range().size();
        if (!checkpoint_ || checkpoint_->size != size || checkpoint_->root == chain_.tree().root) return true;
        refuse({Errc::damaged, "the checkpoint file, of size " + std::to_string(size) + ", is of another log"});
        return false;
    }

    bool agrees_with_anchors() {
        const auto size = chain_.range().size();
        for (; !anchors_.empty() && anchors_.front().size == size; anchors_ = anchors_.subspan(1)) {
            if (agrees(anchors_.front(), chain_.tree())) continue;
            walked_.disagrees = true;
            refuse({Errc::damaged, "the anchor of size " + std::to_string(size) +
                                       " has another root: it is mistyped or of another log, or history was changed"});
            return false;
        }
        return true;
    }

    void refuse(Error error) { walked_.broken = std::move(error); }

    void begin_tail(std::uint64_t number, std::string_view rest, const std::string& why) {
        if (without_zero_tail(rest).empty()) return;
        in_tail_ = true;
        tail_.segment = number;
        tail_.why = !why.empty() ? why : batch_.empty() ? "no line begins there" : "no signature covers it";
        add_to_tail(rest);
    }

    void add_to_tail(std::string_view bytes) {
        bytes = without_zero_tail(bytes);
        const auto remains = remains_of(bytes);
        tail_.bytes += bytes.size();
        tail_.lines += remains.lines;
        tail_digest_.update(bytes);
        tail_synced_ = std::max(tail_synced_, remains.synced);
    }

    // Anyone could have written the keys next to a log; only keys named in the log are valid.
    void judge_keys() {
        const auto checkpoint = checkpoint_ ? open_checkpoint(checkpoint_note_, chain_.keys()) : Result<Tree>{Tree{}};
        if (!checkpoint) {
            return refuse({Errc::damaged, "the checkpoint file does not hold: " + checkpoint.error().detail});
        }
        if (walked_.tree.size == 0) return;
        if (!chain_.signed_by(trusted_)) {
            walked_.only_named = chain_.keys().current() == trusted_;
            walked_.tree = Chain{trusted_}.tree();  // other keys signed it, and they prove nothing
            return refuse({Errc::bad_signature, "nothing in the log is signed by " + trusted_.vkey()});
        }
        if (!chain_.keys().begins_with(beside_)) {
            refuse({Errc::damaged, "log.vkey lists a key that no record of the log names"});
        }
    }

    // Whether a crash can leave the log's end like this.
    void judge() {
        const auto size = walked_.tree.size;
        const auto at = "record " + std::to_string(size);
        const auto found = in_tail_ ? " is damaged (" + tail_.why + ")" : std::string{" is missing"};
        if (tail_synced_ > size) {
            return refuse({Errc::damaged, at + found + ", but a later record says that it had been on disk"});
        }
        if (checkpoint_ && checkpoint_->size > size) {
            return refuse({Errc::damaged, at + found + ", but the checkpoint file covers " +
                                              std::to_string(checkpoint_->size) + " records"});
        }
        if (!walking_.anchors.empty() && walking_.anchors.back().size > size) {
            return refuse({Errc::damaged, at + found + ", but an anchor covers " +
                                              std::to_string(walking_.anchors.back().size) + " records"});
        }
        if (!in_tail_) return;
        tail_.sha256 = security::hex(tail_digest_.finish());
        walked_.tail = std::move(tail_);
    }

    FileSystem& files_;
    const std::string& directory_;
    const NoteKey& trusted_;
    const LogKeys& beside_;
    const Walking& walking_;
    Chain chain_;
    Reading reading_;
    std::string checkpoint_note_;
    std::optional<Tree> checkpoint_;
    std::span<const Anchor> anchors_ = walking_.anchors;  // those not reached yet
    Walked walked_;
    std::vector<Chain::Taken> batch_;  // taken but not covered by a signature yet; all in one segment
    bool in_tail_ = false;
    Tail tail_;
    security::Sha256 tail_digest_;
    std::uint64_t tail_synced_ = 0;
};

}  // namespace

std::string checkpoint_of(const Walked& walked) {
    const auto& origin = walked.keys.origin();
    return note(checkpoint_text(origin, walked.tree), origin, walked.signature);
}

Result<Walked> walk(FileSystem& files, const std::string& directory, const NoteKey& trusted, const Walking& walking) {
    const auto beside = keys_with(files, directory, trusted);
    if (!beside) return beside.error();
    return Walk{files, directory, trusted, *beside, walking}.run();
}

}  // namespace countersign::audit
