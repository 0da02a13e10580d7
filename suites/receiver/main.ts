import { parseArgs } from 'node:util';
import type { ReceiverReady } from './protocol.ts';
import { type ReceiverOptions, startReceiver } from './start.ts';

const usage =
  'usage: node suites/receiver/main.ts --dir folder [--listen 127.0.0.1:0] [--base-url https://…] [--host name]… [--cert file --key file] [--ca-file file] [--plain] [--control-listen host:port] [--exit-with-stdin]';

/**
 * Remote judges send this token to the control API. It comes from the environment, because every user of the machine can read
 * arguments.
 */
const tokenVariable = 'GATECHECK_CONTROL_TOKEN';
const leastTokenLength = 16;

/** An invalid command line; the message is one sentence. */
class BadFlags extends Error {}

await main();

async function main(): Promise<void> {
  try {
    const { options, exitWithStdin } = readFlags(process.argv.slice(2));
    await run(options, exitWithStdin);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    // Faults that a user can correct: flags, a port in use, files that are missing or wrong.
    process.exit(2);
  }
}

async function run(options: ReceiverOptions, exitWithStdin: boolean): Promise<void> {
  const { close, ...ready } = await startReceiver(options);
  let isClosing = false;
  const stop = (): void => {
    if (isClosing) return;
    isClosing = true;
    void close().then(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (exitWithStdin) process.stdin.on('end', stop).on('error', stop).resume();
  process.stdout.write(`${JSON.stringify(ready satisfies ReceiverReady)}\n`);
}

function readFlags(args: readonly string[]): { options: ReceiverOptions; exitWithStdin: boolean } {
  const values = parsed(args);
  const { dir, listen } = values;
  if (dir === undefined) throw new BadFlags(`--dir is needed; ${usage}`);
  const { host, port } = placeIn('--listen', listen);
  return {
    exitWithStdin: values['exit-with-stdin'],
    options: {
      dir,
      host,
      port,
      ...(values['base-url'] === undefined ? {} : { baseUrl: values['base-url'] }),
      hosts: values.host,
      files: {
        ...(values.cert === undefined ? {} : { cert: values.cert }),
        ...(values.key === undefined ? {} : { key: values.key }),
        ...(values['ca-file'] === undefined ? {} : { ca: values['ca-file'] }),
      },
      plain: values.plain,
      ...(values['control-listen'] === undefined
        ? {}
        : { control: { ...placeIn('--control-listen', values['control-listen']), token: tokenIn() } }),
      now: () => Date.now(),
    },
  };
}

function placeIn(flag: string, text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new BadFlags(`${flag} must be a host and a port, not "${text}"; ${usage}`);
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
}

function tokenIn(): string {
  const token = process.env[tokenVariable] ?? '';
  if (token.length < leastTokenLength)
    throw new BadFlags(`--control-listen needs ${tokenVariable}, of at least ${leastTokenLength} characters`);
  return token;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        dir: { type: 'string' },
        listen: { type: 'string', default: '127.0.0.1:0' },
        'base-url': { type: 'string' },
        host: { type: 'string', multiple: true, default: [] },
        cert: { type: 'string' },
        key: { type: 'string' },
        'ca-file': { type: 'string' },
        plain: { type: 'boolean', default: false },
        'control-listen': { type: 'string' },
        'exit-with-stdin': { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new BadFlags(`${(error as Error).message.split('. ')[0]}; ${usage}`);
  }
}
