// SPDX-License-Identifier: Apache-2.0
// Discord's markdown as a person sees it: escapes, headings and other styles are gone, code keeps every character.
const fence = '```';
const lineStyle = /^(?:#{1,3}|-#|>) /gm;

const prose = (text) =>
    text
        .split(/(`[^`\n]*`)/)
        .map((part, i) => (i % 2 ? part.slice(1, -1) : part.replace(lineStyle, '').replace(/\\(.)|\*\*/g, '$1')))
        .join('');

export function shown(markdown) {
    const parts = markdown.split(fence);
    return parts.map((part, i) => (i % 2 ? part.replace(/^\w*\n/, '') : prose(part))).join('');
}
