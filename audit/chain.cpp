// SPDX-License-Identifier: Apache-2.0
#include "audit/chain.hpp"

#include "audit/record.hpp"
#include "core/limits.hpp"

namespace countersign::audit {

Result<Chain::Taken> Chain::take(std::string_view line, Check check) {
    const auto split = split_line(line);
    if (!split) return split.error();
    auto head = read_head(split->json);
    if (!head) return head.error();
    if (const auto follows = this->follows(*head, check); !follows) return follows.error();

    const bool is_signed = !split->signature.empty();
    std::optional<LogKeys> handed_over;
    if (head->kind == key_kind) {
        const auto at = "record " + std::to_string(head->seq);
        if (!is_signed) return Error{Errc::damaged, at + " changes the key, and the key before it did not sign that"};
        auto keys = keys_after(split->json);
        if (!keys) return Error{Errc::damaged, at + " changes the key: " + keys.error().detail};
        handed_over = std::move(*keys);
    }
    const bool check_now = is_signed && (check == Check::each || handed_over);
    // Only the signature can still be invalid; the chain must then be restored.
    auto before = check_now ? std::optional{range_} : std::nullopt;
    range_.append(leaf_hash(split->json));
    root_.reset();
    if (check_now) {
        if (const auto good = this->check(tree(), split->signature); !good) {
            range_ = std::move(*before);
            root_.reset();
            return good.error();
        }
        unchecked_.reset();
    } else if (is_signed) {
        if (!unchecked_) unchecked_.emplace();
        unchecked_->range = range_;
        unchecked_->signature = split->signature;
    }
    signatures_ += is_signed ? 1 : 0;
    note_batches(head->synced, is_signed);
    if (handed_over) {
        keys_ = std::move(*handed_over);
        current_has_signed_ = false;
    }
    return Taken{.head = std::move(*head), .json = split->json, .signature = split->signature};
}

void Chain::note_batches(std::uint64_t synced, bool ends_batch) {
    if (synced > synced_) {
        while (!batches_.empty() && batches_.front() < synced) batches_.pop_front();
        if (batches_.empty() || batches_.front() != synced) ++signatures_missing_;
        synced_ = synced;
    }
    if (!ends_batch) return;
    batches_.push_back(range_.size());
    if (batches_.size() > limits::unconfirmed_batches_max) batches_.pop_front();
}

const Hash& Chain::root() const {
    if (!root_) root_ = range_.root();
    return *root_;
}

Result<void> Chain::follows(const RecordHead& head, Check check) const {
    const bool continues = check == Check::last || head.prev_root == root();
    if (head.seq == range_.size() && continues && head.synced <= head.seq) return {};
    const auto at = std::to_string(range_.size());
    if (head.seq != range_.size()) {
        return Error{Errc::damaged, "record " + std::to_string(head.seq) + " stands where " + at + " belongs"};
    }
    if (!continues) {
        return Error{Errc::damaged, "record " + at + " does not continue the records before it"};
    }
    return Error{Errc::damaged, "record " + at + " claims records after it"};
}

Result<LogKeys> Chain::keys_after(std::string_view json) const {
    const auto record = parse_record(json);
    if (!record) return record.error();
    auto key = NoteKey::parse(record->text("newVkey"));
    if (!key) return key.error();
    auto keys = keys_;
    if (auto added = keys.add(std::move(*key)); !added) return added.error();
    return keys;
}

// Every key but the current one signed at least the `key` record that replaced it.
bool Chain::signed_by(const NoteKey& key) const {
    return keys_.has(key) && (key != keys_.current() || current_has_signed_);
}

Result<void> Chain::check_last() {
    if (!unchecked_) return {};
    const auto last = std::move(*unchecked_);
    unchecked_.reset();
    return check({.size = last.range.size(), .root = last.range.root()}, last.signature);
}

Result<void> Chain::check(const Tree& tree, std::string_view signature) {
    ++signatures_checked_;
    const auto& key = keys_.current();
    if (key.verify(checkpoint_text(key.name(), tree), signature)) {
        current_has_signed_ = true;
        return {};
    }
    return Error{Errc::bad_signature, "the signature of record " + std::to_string(tree.size - 1) + " is not made by " +
                                          key.vkey() + ", or not for these records"};
}

}  // namespace countersign::audit
