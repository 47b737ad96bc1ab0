// SPDX-License-Identifier: Apache-2.0
#include "audit/chain.hpp"

namespace countersign::audit {

Result<Chain::Taken> Chain::take(std::string_view line, Check check) {
    const auto split = split_line(line);
    if (!split) return split.error();
    auto record = parse_record(split->json);
    if (!record) return record.error();
    const auto at = std::to_string(range_.size());
    if (record->seq != range_.size()) {
        return Error{Errc::damaged, "record " + std::to_string(record->seq) + " stands where " + at + " belongs"};
    }
    if (record->prev_root != root_) {
        return Error{Errc::damaged, "record " + at + " does not continue the records before it"};
    }
    if (record->synced > record->seq) return Error{Errc::damaged, "record " + at + " claims records after it"};

    auto range = range_;
    range.append(leaf_hash(split->json));
    const Tree tree{.size = range.size(), .root = range.root()};
    const bool is_signed = !split->signature.empty();
    if (is_signed && check == Check::each) {
        if (const auto good = this->check(tree, split->signature); !good) return good.error();
        unchecked_.reset();
    } else if (is_signed) {
        unchecked_ = Unchecked{.tree = tree, .signature = std::string{split->signature}};
    }
    range_ = std::move(range);
    root_ = tree.root;
    return Taken{.record = std::move(*record), .signature = split->signature};
}

Result<void> Chain::check_last() {
    if (!unchecked_) return {};
    const auto last = std::move(*unchecked_);
    unchecked_.reset();
    return check(last.tree, last.signature);
}

Result<void> Chain::check(const Tree& tree, std::string_view signature) {
    ++signatures_checked_;
    if (key_.verify(checkpoint_text(key_.name(), tree), signature)) return {};
    return Error{Errc::bad_signature, "the signature of record " + std::to_string(tree.size - 1) + " is not made by " +
                                          key_.vkey() + ", or not for these records"};
}

}  // namespace countersign::audit
