// SPDX-License-Identifier: Apache-2.0
// multipart/form-data, read by hand: the reader built into node refuses the unquoted file names that grammY sends and
// Telegram takes.
function parameter(header, name) {
    const [, quoted, bare] = new RegExp(`[; ]${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;]*))`, 'i').exec(header) ?? [];
    return quoted ?? bare;
}

function readPart(part) {
    const end = part.indexOf('\r\n\r\n');
    if (end < 0) throw new Error('a part without headers');
    const headers = part.subarray(0, end).toString('utf8').split('\r\n');
    const header = (name) =>
        headers
            .find((line) => line.toLowerCase().startsWith(`${name}:`))
            ?.slice(name.length + 1)
            .trim();
    const disposition = header('content-disposition') ?? '';
    const content = part.subarray(end + 4);
    const name = parameter(disposition, 'name');
    if (name === undefined) throw new Error('a part without a name');
    const fileName = parameter(disposition, 'filename');
    if (fileName === undefined) return { name, text: content.toString('utf8') };
    return { name, file: { name: fileName, type: header('content-type') ?? 'application/octet-stream', content } };
}

// [{name, text} | {name, file: {name, type, content}}]
export function readMultipart(bytes, contentType) {
    const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
    if (!boundary) throw new Error('no boundary');
    const dashes = `--${boundary}`;
    const separator = Buffer.from(`\r\n${dashes}`);
    // The first separator need not begin with a line end.
    const whole = Buffer.concat([Buffer.from('\r\n'), bytes]);
    const parts = [];
    for (let at = whole.indexOf(separator); ;) {
        if (at < 0) throw new Error('the last boundary is missing');
        const start = at + separator.length;
        if (whole.subarray(start, start + 2).toString() === '--') return parts.map(readPart);
        at = whole.indexOf(separator, start);
        if (at >= 0) parts.push(whole.subarray(start + 2, at));
    }
}
