import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createClock } from '../clock.ts';
import { parseUpstream, type Upstream } from '../http/upstream.ts';
import { endOn, exitWith } from '../process-end.ts';
import { captureFormat, writeCapture } from '../recordings/capture-file.ts';
import { startCapture } from './capture-proxy.ts';

const usage = 'usage: capture --upstream URL [--out capture.json] [--port 0] [--exit-with-stdin]';

interface Flags {
  readonly upstream: Upstream;
  readonly out: string;
  readonly port: number;
  readonly exitWithStdin: boolean;
}

await main();

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(`${usage}\n`);
  let flags: Flags;
  try {
    flags = parseFlags(process.argv.slice(2));
    // Write an empty file first: an unwritable path is reported before the capture starts.
    const upstream = flags.upstream.origin + flags.upstream.pathPrefix;
    writeCapture(flags.out, { schema: captureFormat, upstream, exchanges: [], left_out: [] });
  } catch (error) {
    return exitWith(2, `${messageOf(error)}; ${usage}`);
  }
  try {
    await run(flags);
  } catch (error) {
    exitWith(3, `The capture could not start: ${messageOf(error)}.`);
  }
}

async function run({ upstream, out, port, exitWithStdin }: Flags): Promise<void> {
  const capture = await startCapture({ upstream, port, clock: createClock() });
  let isClosing = false;
  const stop = async (): Promise<void> => {
    if (isClosing) return;
    isClosing = true;
    writeCapture(out, await capture.close());
    process.exit(0);
  };
  const end = (): void =>
    void stop().catch((error: unknown) => {
      process.stderr.write(`The capture could not be written: ${messageOf(error)}.\n`);
      process.exit(1);
    });
  endOn(end, exitWithStdin);
  process.stdout.write(`${JSON.stringify({ capture_url: capture.url, out })}\n`);
}

function parseFlags(args: readonly string[]): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      upstream: { type: 'string' },
      out: { type: 'string', default: 'capture.json' },
      port: { type: 'string', default: '0' },
      'exit-with-stdin': { type: 'boolean', default: false },
    },
  });
  if (values.upstream === undefined) throw new Error('--upstream is missing');
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new Error(`--port must be a whole number from 0 to 65535, not "${values.port}"`);
  }
  const upstream = parseUpstream(values.upstream);
  return { upstream, out: resolve(values.out), port, exitWithStdin: values['exit-with-stdin'] };
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
