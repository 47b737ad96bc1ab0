// SPDX-License-Identifier: Apache-2.0
// The program on a terminal of its own, in a shell that says how it ended and how it left the terminal.
import { execFileSync } from 'node:child_process';
import { countersignBinary, until } from './bench.mjs';

// Resolves when the program asks for something that is not to be shown.
export async function startOnTerminal(bench, args) {
    const shell = `tty; trap : INT; ${[countersignBinary(), ...args].join(' ')}; echo ended with $?; stty -a`;
    const program = bench.start('script', ['-qfec', shell, '/dev/null']);
    const terminal = (await program.line('its terminal', (line) => line.startsWith('/dev/pts/'))).trim();
    const echoes = () => !/ -echo /.test(execFileSync('stty', ['-F', terminal, '-a'], { encoding: 'utf8' }));
    const silent = () => until('a question for a secret', () => !echoes(), { status: () => program.story() });
    await silent();
    return { program, silent };
}
