// SPDX-License-Identifier: Apache-2.0
// Signed notes (c2sp.org/signed-note) and checkpoints (c2sp.org/tlog-checkpoint): the form in which the log signs its
// tree, so that third-party verifiers can check it.
//
// Trust is keyed by the origin and the key that the caller brings, never by what a note says of itself.
#pragma once

#include "audit/merkle.hpp"
#include "core/result.hpp"
#include "security/ed25519.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace countersign::audit {

// What a key signs. A log signs the text; a witness (c2sp.org/tlog-cosignature) the text and the time at which it saw
// it.
enum class NoteAlgorithm : std::uint8_t { log = 0x01, witness = 0x04 };

// The public half of a note key: "name+hash+base64(algorithm || key)".
class NoteKey {
public:
    // A name is not empty and has no space, no control character and no '+'. Errc::bad_config otherwise.
    [[nodiscard]] static Result<NoteKey> make(std::string name, security::Ed25519PublicKey key,
                                              NoteAlgorithm algorithm = NoteAlgorithm::log);
    // A vkey, without a line break. Errc::malformed, also when the hash in it is not that of name and key, or when it
    // is a key of the other kind.
    [[nodiscard]] static Result<NoteKey> parse(std::string_view vkey, NoteAlgorithm algorithm = NoteAlgorithm::log);

    [[nodiscard]] std::string vkey() const;
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::array<std::uint8_t, 4>& id() const { return id_; }

    // Whether `signature` = base64(id || [time of a witness] || Ed25519 signature) is this key's on the text.
    [[nodiscard]] bool verify(std::string_view text, std::string_view signature) const;
    friend bool operator==(const NoteKey&, const NoteKey&) = default;

private:
    NoteKey(std::string name, security::Ed25519PublicKey key, NoteAlgorithm algorithm);
    std::string name_;
    security::Ed25519PublicKey key_;
    NoteAlgorithm algorithm_;
    std::array<std::uint8_t, 4> id_{};
};

// The secret half, with the public one.
class NoteSigner {
public:
    [[nodiscard]] static Result<NoteSigner> make(std::string name, security::Ed25519SigningKey key,
                                                 NoteAlgorithm algorithm = NoteAlgorithm::log);
    [[nodiscard]] const NoteKey& key() const { return public_; }
    // base64(id || Ed25519 signature): what stands behind the name in a note, and behind the TAB in the log.
    [[nodiscard]] std::string sign(std::string_view text) const;
    // The same of a witness that saw the text at this Unix time.
    [[nodiscard]] std::string cosign(std::string_view text, std::uint64_t seconds) const;

private:
    NoteSigner(NoteKey key, security::Ed25519SigningKey secret) : public_{std::move(key)}, secret_{std::move(secret)} {}
    NoteKey public_;
    security::Ed25519SigningKey secret_;
};

// The length of the text of each of a log's signatures: base64 of 68 bytes.
inline constexpr std::size_t signature_chars = 92;

// What each signature line begins with: an em dash and a space.
inline constexpr std::string_view signature_mark = "\xE2\x80\x94 ";
// A line with a signature, as it stands at the end of a note.
[[nodiscard]] std::string signature_line(std::string_view key_name, std::string_view signature);
// The whole note with one signature.
[[nodiscard]] std::string note(std::string_view text, std::string_view key_name, std::string_view signature);

// The text of a note that the key signed. Other keys' lines are ignored; a line of this key that does not verify
// refuses the whole note. Errc::malformed, Errc::bad_signature.
[[nodiscard]] Result<std::string> open_note(std::string_view note, const NoteKey& key);
// The same for several keys: at least one of them signed it.
[[nodiscard]] Result<std::string> open_note(std::string_view note, std::span<const NoteKey> keys);
// The same note with no other signatures than theirs: what strangers added could be anything.
[[nodiscard]] Result<std::string> signed_only_by(std::string_view note, std::span<const NoteKey> keys);
// When the witness cosigned the note, in Unix seconds, the last time of several; nothing if it did not. A line of this
// witness that does not verify refuses the whole note: Errc::bad_signature.
[[nodiscard]] Result<std::optional<std::uint64_t>> cosigned_at(std::string_view note, const NoteKey& witness);

// A number as checkpoints and proofs write it: decimal, without leading zeros, up to log_records_max: a larger one
// would be another in a record. Errc::malformed.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view digits);

// "origin\nsize\nbase64(root)\n"
[[nodiscard]] std::string checkpoint_text(std::string_view origin, const Tree& tree);
// Errc::malformed for another origin, a size with leading zeros, extension lines or anything else.
[[nodiscard]] Result<Tree> parse_checkpoint(std::string_view text, std::string_view origin);

}  // namespace countersign::audit
