// SPDX-License-Identifier: Apache-2.0
// Signed notes (c2sp.org/signed-note) and checkpoints (c2sp.org/tlog-checkpoint): the format in which the log signs its
// tree, so that third-party verifiers can check it.
//
// Trust comes from the origin and key that the caller passes, never from what a note says about itself.
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

// What a key signs. A log signs the text; a witness (c2sp.org/tlog-cosignature) signs the text and the time at which it
// saw it.
enum class NoteAlgorithm : std::uint8_t { log = 0x01, witness = 0x04 };

// The public half of a note key: "name+hash+base64(algorithm || key)".
class NoteKey {
public:
    // A name must be non-empty, without spaces, control characters or '+'. Errc::bad_config otherwise.
    [[nodiscard]] static Result<NoteKey> make(std::string name, security::Ed25519PublicKey key,
                                              NoteAlgorithm algorithm = NoteAlgorithm::log);
    // Parses a vkey without a line break. Errc::malformed, also if its hash does not match name and key, or if it has
    // another algorithm.
    [[nodiscard]] static Result<NoteKey> parse(std::string_view vkey, NoteAlgorithm algorithm = NoteAlgorithm::log);

    [[nodiscard]] std::string vkey() const;
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::array<std::uint8_t, 4>& id() const { return id_; }

    // Whether `signature` = base64(id || [time of a witness] || Ed25519 signature) is this key's signature of the text.
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
    // base64(id || Ed25519 signature): it follows the name in a note, and the TAB in the log.
    [[nodiscard]] std::string sign(std::string_view text) const;
    // The same for a witness that saw the text at this Unix time.
    [[nodiscard]] std::string cosign(std::string_view text, std::uint64_t seconds) const;

private:
    NoteSigner(NoteKey key, security::Ed25519SigningKey secret) : public_{std::move(key)}, secret_{std::move(secret)} {}
    NoteKey public_;
    security::Ed25519SigningKey secret_;
};

// Length of a log signature: base64 of 68 bytes.
inline constexpr std::size_t signature_chars = 92;

// What each signature line begins with: an em dash and a space.
inline constexpr std::string_view signature_mark = "\xE2\x80\x94 ";
// A signature line, as at the end of a note.
[[nodiscard]] std::string signature_line(std::string_view key_name, std::string_view signature);
// A whole note with one signature.
[[nodiscard]] std::string note(std::string_view text, std::string_view key_name, std::string_view signature);

// Returns the text of a note that the key signed. Lines of other keys are ignored; an invalid line of this key makes
// the whole note invalid. Errc::malformed, Errc::bad_signature.
[[nodiscard]] Result<std::string> open_note(std::string_view note, const NoteKey& key);
// The same for several keys: at least one of them must have signed it.
[[nodiscard]] Result<std::string> open_note(std::string_view note, std::span<const NoteKey> keys);
// The same note with only the signatures of these keys: other lines could contain anything.
[[nodiscard]] Result<std::string> signed_only_by(std::string_view note, std::span<const NoteKey> keys);
// When the witness cosigned the note, in Unix seconds; the latest time if there are several. Empty if it did not. An
// invalid line of this witness makes the whole note invalid: Errc::bad_signature.
[[nodiscard]] Result<std::optional<std::uint64_t>> cosigned_at(std::string_view note, const NoteKey& witness);

// Parses a number as checkpoints and proofs write it: decimal, without leading zeros, at most log_records_max. A record
// could not represent larger ones exactly. Errc::malformed.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view digits);

// "origin\nsize\nbase64(root)\n"
[[nodiscard]] std::string checkpoint_text(std::string_view origin, const Tree& tree);
// Errc::malformed for another origin, leading zeros in the size, extension lines, or anything else.
[[nodiscard]] Result<Tree> parse_checkpoint(std::string_view text, std::string_view origin);

}  // namespace countersign::audit
