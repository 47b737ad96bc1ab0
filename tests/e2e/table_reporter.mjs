// SPDX-License-Identifier: Apache-2.0
// Reporter for node --test: failures as they happen, and one table of all cases at the end.
const notChosen = /name does not match|does not match pattern/;

function failure(name, { error }) {
    const cause = error?.cause ?? error;
    return `\nFAILED ${name}\n${cause?.stack ?? cause?.message ?? String(cause)}\n`;
}

function slowest(cases) {
    const rows = [...cases]
        .sort((one, other) => other.ms - one.ms)
        .slice(0, 10)
        .map(({ name, ms }) => `  ${(ms / 1000).toFixed(1).padStart(6)}  ${name}`);
    return ['The slowest cases, in seconds:', ...rows];
}

function table(cases) {
    const width = Math.max(...cases.map(({ name }) => name.length), 4);
    const rows = cases.map(
        ({ name, result, ms }) => `${name.padEnd(width)}  ${result.padEnd(6)}  ${String(ms).padStart(7)}`,
    );
    const failed = cases.filter(({ result }) => result === 'FAILED').length;
    return [
        '',
        `${'case'.padEnd(width)}  result       ms`,
        ...rows,
        '',
        ...(cases.length > 10 ? [...slowest(cases), ''] : []),
        `${cases.length} cases, ${failed} failed`,
        '',
    ].join('\n');
}

export default async function* report(events) {
    const cases = [];
    for await (const { type, data } of events) {
        if (type === 'test:stderr') yield data.message;
        if (type !== 'test:pass' && type !== 'test:fail') continue;
        if (typeof data.skip === 'string' && notChosen.test(data.skip)) continue;
        // Before version 20 a file that passed counts as a case of its own.
        if (type === 'test:pass' && data.name.endsWith('.test.mjs')) continue;
        const result = type === 'test:fail' ? 'FAILED' : data.skip !== undefined ? 'skip' : 'ok';
        if (type === 'test:fail') yield failure(data.name, data.details);
        cases.push({ name: data.name, result, ms: Math.round(data.details.duration_ms) });
    }
    yield cases.length ? table(cases) : 'no case fits\n';
    // A skipped test is a promise nobody checked.
    if (!cases.length || cases.some(({ result }) => result !== 'ok')) process.exitCode = 1;
}
