import { resolve } from 'node:path';
import { type ExitCode, exitCodes, UsageError } from '../process/exit-codes.ts';
import { readJson } from '../process/read-file.ts';
import { type Child, StartError, startChild } from '../stack/child.ts';
import { programOf } from '../stack/programs.ts';
import { catchInterrupts } from './interrupt.ts';
import { assertFile } from './output-places.ts';

export interface CaptureOptions {
  readonly upstream: string;
  readonly out: string;
  readonly port: number;
}

/**
 * `gatecheck capture`: a proxy in front of an upstream that records its answers, in the foreground. It prints one JSON line
 * with its address on stdout once it is ready, and writes the file when it ends.
 */
export async function captureCommand(options: CaptureOptions): Promise<ExitCode> {
  assertFile(options.out, '--out');
  const interrupts = catchInterrupts();
  try {
    const child = await start(options);
    process.stdout.write(`${JSON.stringify(child.ready)}\n`);
    const asked = new Promise<void>((end) => {
      if (interrupts.signal.aborted) end();
      interrupts.signal.addEventListener('abort', () => end(), { once: true });
    });
    await Promise.race([asked, child.ended]);
    await child.stop();
    const code = await child.ended;
    if (code === 0) {
      process.stderr.write(`gatecheck: ${summaryOf(resolve(options.out))}\n`);
      return exitCodes.conforming;
    }
    process.stderr.write(`gatecheck: the capture ended without its file (exit code ${code})\n`);
    return exitCodes.harness;
  } finally {
    interrupts.release();
  }
}

/** Starts the proxy. Every failed start is a usage error: the address, the file, or a port in use. */
async function start({ upstream, out, port }: CaptureOptions): Promise<Child> {
  const args = [
    programOf('capture'),
    `--upstream=${upstream}`,
    `--out=${resolve(out)}`,
    `--port=${port}`,
    '--exit-with-stdin',
  ];
  try {
    return await startChild({ name: 'the capture', args });
  } catch (error) {
    throw error instanceof StartError ? new UsageError(error.message) : error;
  }
}

/** Summarizes the file: recorded exchanges, and exchanges left out because their secrets cannot be masked. */
function summaryOf(path: string): string {
  const { exchanges, left_out: leftOut } = readJson(path) as {
    exchanges: unknown[];
    left_out: { n: number; reason: string }[];
  };
  const notes = leftOut.map(({ n, reason }) => `; ${n} was left out: ${reason}`);
  const count = exchanges.length === 1 ? '1 exchange' : `${exchanges.length} exchanges`;
  return `${count} in ${path}${notes.slice(0, 10).join('')}`;
}
