// SPDX-License-Identifier: Apache-2.0
const special = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text) => text.replace(/[&<>"]/g, (c) => special[c]);
export const tag = (name, inner, attributes = '') => `<${name}${attributes && ` ${attributes}`}>${inner}</${name}>`;
export const box = (kind, inner) => tag('div', inner, `class="${kind}"`);
