// SPDX-License-Identifier: Apache-2.0
// Discord's components as our cards use them, and the part of its Markdown that they contain.
import { box, escaped, tag } from './html.mjs';

const unescaped = (text) => text.replace(/\\([\\*_~|>#\-`[\]().:!+<@&])/g, '$1');
const dots = { '🔴': '#dd2e44', '🟠': '#f4900c', '🟢': '#78b159' }; // no emoji font is needed
const inline = (text) =>
    text
        .split(/(`[^`]+`|\*\*.+?\*\*|<@\d+>|[🔴🟠🟢])/u)
        .map((part) => {
            if (part.startsWith('`')) return tag('code', escaped(part.slice(1, -1)));
            if (part.startsWith('**')) return tag('b', inline(part.slice(2, -2)));
            if (/^<@\d+>$/.test(part)) return tag('i', '@alice');
            if (part in dots) return tag('span', '', `class="dot" style="background: ${dots[part]}"`);
            return escaped(unescaped(part));
        })
        .join('');
const line = (text) => {
    const heading = /^(#{1,3}) (.*)$/.exec(text);
    if (heading) return tag(`h${heading[1].length}`, inline(heading[2]));
    if (text.startsWith('-# ')) return tag('small', inline(text.slice(3)));
    return tag('p', inline(text));
};
const markdown = (text) =>
    text
        .split(/(```[a-z]*\n[^]*?\n?```)/)
        .map((part) => {
            const code = /^```[a-z]*\n([^]*?)\n?```$/.exec(part);
            if (code) return tag('pre', escaped(code[1]));
            return part.split('\n').filter(Boolean).map(line).join('');
        })
        .join('');

const colours = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger' };
const components = {
    1: ({ components: parts }) => box('row', parts.map(draw).join('')),
    2: ({ label, style = 2 }) => tag('b', escaped(label), `class="${colours[style]}"`),
    3: ({ placeholder = '' }) => tag('em', escaped(placeholder)),
    10: ({ content }) => markdown(content),
    14: () => '<hr>',
    17: ({ accent_color: colour = 0x3f4147, components: parts }) =>
        tag(
            'div',
            parts.map(draw).join(''),
            `class="container" style="border-left-color: #${colour.toString(16).padStart(6, '0')}"`,
        ),
};
const draw = (component) => components[component.type](component);

const style = `
.phone { background: #313338; color: #dbdee1 } .top { background: #2b2d31; color: #f2f3f5 }
.message { display: flex; gap: 12px; padding: 16px 12px } .message > div:last-child { flex: 1; min-width: 0 }
.face { flex: none; width: 38px; height: 38px; border-radius: 50%; background: #0b6b4f; color: #fff; font: 700 20px/38px
  sans-serif; text-align: center }
.dot { display: inline-block; width: 14px; height: 14px; border-radius: 50%; vertical-align: -1px }
.who { font-weight: 600; color: #fff; margin-bottom: 5px }
.who i { font: 700 10px sans-serif; background: #5865f2; padding: 2px 5px; border-radius: 4px; margin: 0 6px }
.who small { display: inline; font-weight: 400; color: #949ba4 }
.container { background: #2b2d31; border: 1px solid #3f4147; border-left: 5px solid; border-radius: 8px; padding: 12px }
h1, h2, h3 { font-size: 18px; color: #fff; margin-bottom: 4px } h3 { font-size: 15px; line-height: 1.5 }
small code { font-size: 11px } p { margin: 3px 0 }
small { display: block; color: #949ba4; font-size: 12px; overflow-wrap: anywhere } hr { border: 0; border-top: 1px solid
  #3f4147; margin: 9px 0 }
pre { background: #1e1f22; border-radius: 5px; padding: 9px; margin: 6px 0 }
code { background: #1e1f22; padding: 1px 4px;
  border-radius: 4px } i { font-style: normal; color: #c9cdfb; background: #3c4270; border-radius: 3px; padding: 0 2px }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 9px } .row b { border-radius: 6px; padding: 7px 15px;
  font-weight: 500; color: #fff } .primary { background: #5865f2 } .secondary { background: #4e5058 }
.success { background: #248046 } .danger { background: #da373c }`;

export const discord = (message) => ({
    style,
    header: '# ops<small>Acme</small>',
    body: box(
        'message',
        box('face', 'C') +
            tag(
                'div',
                tag('div', 'Countersign<i>APP</i><small>14:02</small>', 'class="who"') +
                    message.components.map(draw).join(''),
            ),
    ),
});
