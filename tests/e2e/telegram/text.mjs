// SPDX-License-Identifier: Apache-2.0
// What Telegram does to a text before people see it, and which texts and entities it refuses (as its open-source
// client library does: clean_input_string_with_entities, fix_formatted_text).
import { badRequest } from './api_error.mjs';

const textUnitsMax = 4096;
const textBytesMax = 1 << 15;

// Offsets and lengths count UTF-16 units, which is what a JavaScript string counts.
const splitsPair = (text, at) =>
    at > 0 && at < text.length && /[\uD800-\uDBFF]/.test(text[at - 1]) && /[\uDC00-\uDFFF]/.test(text[at]);

export function checkEntities(text, entities) {
    for (const { offset, length } of entities) {
        if (offset < 0 || offset > 1000000) throw badRequest(`receive an entity with incorrect offset ${offset}`);
        if (length < 0 || length > 1000000) throw badRequest(`receive an entity with incorrect length ${length}`);
        if (length === 0) continue; // dropped, not refused
        const end = offset + length;
        if (offset >= text.length) {
            throw badRequest(`entity begins after the end of the text at UTF-16 offset ${offset}`);
        }
        if (splitsPair(text, offset)) {
            throw badRequest(
                `entity begins in a middle of a UTF-16 symbol at byte offset ${bytesTo(text, offset + 1)}`,
            );
        }
        const beginning = `entity beginning at UTF-16 offset ${offset}`;
        if (end > text.length) throw badRequest(`${beginning} ends after the end of the text at UTF-16 offset ${end}`);
        if (splitsPair(text, end)) {
            throw badRequest(
                `${beginning} ends in a middle of a UTF-16 symbol at byte offset ${bytesTo(text, end + 1)}`,
            );
        }
    }
}

const bytesTo = (text, at) => Buffer.byteLength(text.slice(0, at));

// Control characters become spaces, carriage returns and the characters that turn the direction of a line vanish.
function cleaned(unit) {
    if (unit === '\r' || /[\u2028-\u202e\u0333\u033f\u030a]/.test(unit)) return '';
    return unit < ' ' && unit !== '\n' ? ' ' : unit;
}

// {text, entities} as people see them: cleaned, trimmed, the entities moved along.
export function asShown(text, entities = []) {
    const movedTo = [0];
    let shown = '';
    for (const unit of text.split('')) {
        shown += cleaned(unit);
        movedTo.push(shown.length);
    }
    const kept = shown.replace(/[ \n]+$/, '');
    const firstEntity = Math.min(kept.length, ...entities.map((e) => movedTo[e.offset]));
    const leading = Math.min(firstEntity, kept.length - kept.replace(/^[ \n]+/, '').length);
    const place = (at) => Math.min(movedTo[at], kept.length) - leading;
    const moved = entities
        .map((e) => ({ ...e, offset: place(e.offset), length: place(e.offset + e.length) - place(e.offset) }))
        .filter((e) => e.length > 0);
    return { text: kept.slice(leading), entities: moved };
}

// The text of a message, checked; returns it as shown.
export function messageText(text, entities = [], parseMode) {
    if (text === undefined || text === '') throw badRequest('message text is empty');
    if (Buffer.byteLength(text) > textBytesMax) throw badRequest('text is too long');
    // Not imitated: a text that a parser could read differently than meant is refused here.
    if (parseMode && /[<>&*_~`[\]\\|]/.test(text)) {
        throw badRequest('strict: markup is not simulated, send entities instead of parse_mode');
    }
    checkEntities(text, entities);
    const shown = asShown(text, entities);
    if (shown.text === '') throw badRequest('text must be non-empty');
    if (shown.text.length > textUnitsMax) throw badRequest('message is too long');
    return shown;
}
