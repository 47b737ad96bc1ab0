// SPDX-License-Identifier: Apache-2.0
// Screens of a terminal, as lines with escape codes, drawn as one SVG.
import { escaped } from './html.mjs';

const cell = { width: 8.4, height: 18 };
const font = 14;
const padding = 16;
const bar = 34;
const between = 22;
const colours = {
    window: '#161b22',
    bar: '#21262d',
    border: '#30363d',
    text: '#d7dde4',
    title: '#8b949e',
};
// The 16 colours of a terminal, on a dark background.
const palette = [
    ...['#484f58', '#ff7b72', '#56d364', '#e3b341', '#6cb6ff', '#d2a8ff', '#56d4dd', '#d7dde4'],
    ...['#768390', '#ffa198', '#7ee787', '#f2cc60', '#96d0ff', '#e2c5ff', '#76e3ea', '#ffffff'],
];

function colour_256(n) {
    if (n < 16) return palette[n];
    if (n >= 232) return grey(8 + (n - 232) * 10);
    const part = (i) => (i === 0 ? 0 : 55 + i * 40);
    const c = n - 16;
    return rgb(part(Math.floor(c / 36)), part(Math.floor(c / 6) % 6), part(c % 6));
}
const rgb = (...parts) => `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
const grey = (value) => rgb(value, value, value);

// Takes the numbers of one escape code and returns the style after it.
function styled(style, codes) {
    const next = { ...style };
    for (let i = 0; i < codes.length; ++i) {
        const code = codes[i];
        const extended = () => {
            if (codes[i + 1] === 5) return colour_256(codes[(i += 2)]);
            i += 4;
            return rgb(...codes.slice(i - 2, i + 1));
        };
        if (code === 0) for (const key of Object.keys(next)) delete next[key];
        else if (code === 1) next.bold = true;
        else if (code === 2) next.dim = true;
        else if (code === 3) next.italic = true;
        else if (code === 4) next.underline = true;
        else if (code === 7) next.reverse = true;
        else if (code === 22) next.bold = next.dim = false;
        else if (code === 23) next.italic = false;
        else if (code === 24) next.underline = false;
        else if (code === 27) next.reverse = false;
        else if (code >= 30 && code <= 37) next.front = palette[code - 30];
        else if (code === 38) next.front = extended();
        else if (code === 39) delete next.front;
        else if (code >= 40 && code <= 47) next.back = palette[code - 40];
        else if (code === 48) next.back = extended();
        else if (code === 49) delete next.back;
        else if (code >= 90 && code <= 97) next.front = palette[code - 82];
        else if (code >= 100 && code <= 107) next.back = palette[code - 92];
    }
    return next;
}

// The pieces of a line that have one style, each with its column. The style continues on the next line.
function spans(line, style) {
    const found = [];
    let column = 0;
    for (const [, codes, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
        if (text === undefined) {
            style = styled(style, (codes || '0').split(';').map(Number));
            continue;
        }
        const length = [...text].length;
        found.push({ text, style, column, length });
        column += length;
    }
    return { found, style };
}

const number = (value) => String(Math.round(value * 10) / 10);

function drawn({ text, style, column, length }, left, baseline) {
    const front = style.reverse ? (style.back ?? colours.window) : (style.front ?? colours.text);
    const back = style.reverse ? (style.front ?? colours.text) : style.back;
    const x = number(left + column * cell.width);
    const width = number(length * cell.width);
    const top = number(baseline - cell.height * 0.74);
    const area = back ? `<rect x="${x}" y="${top}" width="${width}" height="${cell.height}" fill="${back}"/>` : '';
    if (text.trim() === '' && !style.underline) return area;
    const looks = [
        front === colours.text ? '' : ` fill="${front}"`,
        style.bold ? ' font-weight="bold"' : '',
        style.italic ? ' font-style="italic"' : '',
        style.underline ? ' text-decoration="underline"' : '',
        style.dim ? ' opacity=".62"' : '',
    ];
    // The width is set too, so that columns stay in place with any font.
    const place = `x="${x}" y="${number(baseline)}" textLength="${width}"`;
    return `${area}<text ${place}${looks.join('')}>${escaped(text)}</text>`;
}

function window_of({ title, lines }, width, top) {
    const height = bar + lines.length * cell.height + 1.5 * padding;
    const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
        (light, i) => `<circle cx="${20 + i * 20}" cy="${top + bar / 2}" r="6" fill="${light}"/>`,
    );
    const frame = `rx="10" fill="${colours.window}" stroke="${colours.border}"`;
    const out = [
        `<rect x=".5" y="${top + 0.5}" width="${width - 1}" height="${height - 1}" ${frame}/>`,
        `<path d="M1 ${top + bar}V${top + 10}q0-9 9-9H${width - 10}q9 0 9 9V${top + bar}z" fill="${colours.bar}"/>`,
        ...lights,
        `<text x="${width / 2}" y="${top + bar / 2 + 5}" fill="${colours.title}" text-anchor="middle" class="title">` +
            `${escaped(title)}</text>`,
    ];
    let style = {};
    lines.forEach((line, i) => {
        const read = spans(line, style);
        style = read.style;
        const baseline = top + bar + padding + (i + 0.74) * cell.height;
        const text = read.found.map((span) => drawn(span, padding, baseline)).join('');
        if (text) out.push(text);
    });
    return { height, text: out.join('\n') };
}

// One window for each screen, below each other.
export function svg({ title, columns, screens }) {
    const width = Math.ceil(columns * cell.width + 2 * padding);
    const windows = [];
    let top = 0;
    for (const screen of screens) {
        const drawing = window_of(screen, width, top);
        windows.push(drawing.text);
        top += drawing.height + between;
    }
    const height = top - between;
    const fonts = `'DejaVu Sans Mono', 'JetBrains Mono', Menlo, Consolas, monospace`;
    const looks = `font-family="${fonts}" font-size="${font}" fill="${colours.text}" xml:space="preserve"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
 ${looks} role="img" aria-label="${escaped(title)}">
<style>
text { white-space: pre }
.title { font: 13px -apple-system, 'Noto Sans', 'DejaVu Sans', sans-serif }
</style>
${windows.join('\n')}
</svg>
`;
}
