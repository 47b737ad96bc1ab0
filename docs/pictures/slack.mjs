// SPDX-License-Identifier: Apache-2.0
// The Block Kit that our cards use.
import { box, escaped, tag } from './html.mjs';

const styled = ({ text, style = {} }) => {
    const inner = escaped(text).replaceAll('\n', '<br>');
    if (style.code) return tag('code', inner);
    return style.bold ? tag('b', inner) : inner;
};
const inline = {
    text: styled,
    user: ({ user_id: user }) => tag('i', `@${user === 'U061F7AUR' ? 'alice' : escaped(user)}`),
};
const lines = (elements) => elements.map((element) => inline[element.type](element)).join('');
const rich = {
    rich_text_section: ({ elements }) => box('section', lines(elements)),
    rich_text_preformatted: ({ elements }) => tag('pre', elements.map(({ text }) => escaped(text)).join('')),
};
const button = ({ text, style: colour = '' }) => tag('b', escaped(text.text), `class="${colour}"`);
const blocks = {
    header: ({ text }) => tag('h3', escaped(text.text)),
    context: ({ elements }) => box('context', elements.map(({ text }) => tag('span', escaped(text))).join('')),
    rich_text: ({ elements }) => elements.map((element) => rich[element.type](element)).join(''),
    section: ({ text }) => box('section', escaped(text.text)),
    divider: () => '<hr>',
    actions: ({ elements }) => box('actions', elements.map(button).join('')),
};

const style = `
.phone { background: #fff; color: #1d1c1d } .top { background: #4a154b; color: #fff }
.message { display: flex; gap: 10px; padding: 16px 14px }
.face { flex: none; width: 38px; height: 38px; border-radius: 9px; background: #0b6b4f; color: #fff; font: 700 20px/38px
  sans-serif; text-align: center }
.who { font-weight: 700 } .who i { font: 600 10px sans-serif; background: #e8e8e8; padding: 2px 4px; border-radius: 3px;
  color: #616061; margin: 0 6px } .who small { font-weight: 400; color: #616061 }
h3 { font-size: 18px; margin: 4px 0 6px } .section { margin: 6px 0 }
.section i { font-style: normal; color: #1264a3; background: #e8f2f9; border-radius: 3px; padding: 0 2px }
.context { font-size: 12px; color: #616061; margin: 4px 0; overflow-wrap: anywhere }
.context span { margin-right: 10px }
pre { background: #f8f8f8; border: 1px solid #ddd; border-radius: 4px; padding: 8px; margin: 6px 0 }
code { background: #f8f8f8; border: 1px solid #ddd; border-radius: 3px; color: #c01343; padding: 0 3px }
.actions { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px }
.actions b { border: 1px solid #bbb; border-radius: 6px; padding: 6px 14px }
.actions .primary { background: #007a5a; border-color: #007a5a; color: #fff }
.actions .danger { background: #e01e5a; border-color: #e01e5a; color: #fff }`;

export const slack = (message) => ({
    style,
    header: '# ops<small>Acme</small>',
    body: box(
        'message',
        box('face', 'C') +
            tag(
                'div',
                tag('div', 'Countersign<i>APP</i><small>14:02</small>', 'class="who"') +
                    message.blocks.map((block) => blocks[block.type](block)).join(''),
            ),
    ),
});
