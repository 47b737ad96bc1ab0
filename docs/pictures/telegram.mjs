// SPDX-License-Identifier: Apache-2.0
// A message of the Bot API: its text with entities, and its inline keyboard.
import { box, escaped, tag } from './html.mjs';

const names = { bold: 'b', italic: 'i', code: 'code', pre: 'pre', text_mention: 'u', blockquote: 'blockquote' };

// Ours don't overlap.
function marked(text, entities) {
    let html = '';
    let at = 0;
    for (const { type, offset, length } of entities) {
        const inner = escaped(text.slice(offset, offset + length));
        const before = text.slice(at, offset);
        html += escaped(type === 'pre' ? before.trimEnd() : before) + (names[type] ? tag(names[type], inner) : inner);
        at = offset + length;
        if (type === 'pre' && text[at] === '\n') at += 1;
    }
    return html + escaped(text.slice(at));
}

const style = `
.phone { background: #8fb98a } .top { background: #517da2; color: #fff }
.bubble { background: #fff; border-radius: 14px; margin: 14px 12px 5px; padding: 9px 12px; white-space: pre-wrap;
  overflow-wrap: anywhere; color: #111 }
.bubble code { color: #2b6ea8 } .bubble u { text-decoration: none; color: #2b6ea8 }
.bubble pre { background: #eef3f8; border-left: 3px solid #5a9bd5; border-radius: 5px; padding: 7px 8px; margin: 4px 0 }
.bubble time { float: right; color: #999; font-size: 12px; margin-top: 4px }
.row { display: flex; gap: 5px; margin: 0 12px 5px }
.row b { flex: 1; text-align: center; color: #fff; font-weight: 600;
  background: rgba(40, 70, 60, .45); border-radius: 9px; padding: 9px 4px }
.row .success { background: #2f9e57 } .row .danger { background: #d64545 } .row .primary { background: #3d86c6 }`;

const button = ({ text, style: colour = '' }) => tag('b', escaped(text), `class="${colour}"`);

export const telegram = (message) => ({
    style,
    header: 'Ops<small>countersign_bot, 3 members</small>',
    body:
        box('bubble', marked(message.text, message.entities) + tag('time', '14:02')) +
        message.reply_markup.inline_keyboard
            .map((row) => box('row', row.map(button).join('')))
            .join(''),
});
