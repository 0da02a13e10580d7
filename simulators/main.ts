import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type DialectVersion, dialectVersions } from './answers/native-answer.ts';
import { BadFile } from './files/bad-file.ts';
import { loadScenario } from './files/load-scenario.ts';
import { BadAddress, isLoopback, loopbackAddress, readAddress } from './http/own-address.ts';
import { parseUpstream, type Upstream } from './http/upstream.ts';
import { brokenListenerKinds } from './listeners/broken-listener.ts';
import { endOn, exitWith } from './process-end.ts';
import { type OpenOptions, openSimulators } from './start.ts';
import type { FileScripts } from './state/scripts.ts';
import { refuseVariants } from './variants/known-variants.ts';
import { BadSecret, readSecrets } from './webhooks/secrets.ts';

const usage = `Usage: gatecheck-simulators [options] [scenario]
       gatecheck-simulators capture|drift --help

Starts simulated upstreams and prints their addresses as one JSON line. Ctrl-C ends them.

Arguments:
  scenario                a scenario by its name, such as b1-brownout, or a YAML file

Options:
  --port <n>              port of the upstreams (default: a free one)
  --control-port <n>      port of the control API (default: a free one)
  --listener-port <n>     first of seven ports with a broken transport
  --http2-port <n>        port of the upstreams over HTTP/2 (TLS)
  --receiver-port <n>     port of the reference receiver of webhooks
  --fixtures <path>       file or folder of scripts; repeatable
  --strict                answer 501 to calls without a script
  --strict-models         reject unknown models
  --pass-to <url>         pass unscripted calls to a real provider
  --variant <name>        variant of a dialect, such as groq; repeatable
  --play <version>        only this version: current or previous
  --seed <n>              seed of everything that is drawn (default: 1)
  --test-clock            let the control API move the clock
  --ui                    serve the console at the printed console_url
  --ui-events <url>       events of a gateway that the console also shows
  --host <address>        address; beyond loopback set GATECHECK_CONTROL_TOKEN
  --name <name>           host name in the printed addresses
  --tls-cert <file>       certificate for both servers (PEM)
  --tls-key <file>        key of that certificate (PEM)
  --exit-with-stdin       end when standard input is closed, and so with the parent process`;

/** Environment variables with secrets: every user of the machine can read command-line arguments. */
const secretVariable = 'GATECHECK_RECEIVER_SECRET';
const tokenVariable = 'GATECHECK_CONTROL_TOKEN';

type Flags = Omit<OpenOptions, 'onDefect'> & {
  readonly exitWithStdin: boolean;
  readonly consoleToken: string | null;
  readonly eventsUrl: string | null;
};

/** The command line is invalid; the message is one sentence. */
class BadFlags extends Error {}

await main();

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return void process.stdout.write(`${usage}\n`);
  let flags: Flags;
  try {
    flags = await parseFlags(process.argv.slice(2));
  } catch (error) {
    if (error instanceof BadSecret) return exitWith(2, `${secretVariable}: ${error.message}.`);
    if (!wasWrong(error)) throw error;
    return exitWith(2, error.message);
  }
  try {
    await run(flags);
  } catch (error) {
    exitWith(1, `The simulators could not start: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Errors that the user can correct. */
function wasWrong(error: unknown): error is Error {
  return error instanceof BadFlags || error instanceof BadFile || error instanceof BadAddress;
}

/** Other machines cannot reach broken listeners at ports that are not known beforehand. */
function hasListeners({ address, listenerPort }: Flags): boolean {
  return listenerPort !== undefined || address === undefined || address.host === loopbackAddress.host;
}

async function run(flags: Flags): Promise<void> {
  const simulators = await openSimulators({
    ...flags,
    brokenListeners: hasListeners(flags),
    onDefect: reportDefect,
  });
  let isClosing = false;
  const stop = (): void => {
    if (isClosing) return;
    isClosing = true;
    void simulators.close().then(() => process.exit(0));
  };
  endOn(stop, flags.exitWithStdin);
  const { providerUrl, controlUrl, brokenListeners, receiverUrl, http2 } = simulators;
  const { consoleToken: token } = flags;
  const line = {
    ...{ provider_url: providerUrl, control_url: controlUrl, listeners: brokenListeners },
    ...(http2 === null ? {} : { http2 }),
    ...(receiverUrl === null ? {} : { receiver_url: receiverUrl }),
    // After the `#`, the token reaches the page but not the network.
    ...(token === null ? {} : { console_url: `${controlUrl}/console/#token=${token}` }),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function parseFlags(args: readonly string[]): Promise<Flags> {
  const values = readFlags(args);
  const address = readAddress(values, process.env[tokenVariable] ?? '');
  if (values.ui && !isLoopback(address.host))
    throw new BadFlags(`--ui is for this machine alone, and cannot be combined with --host ${address.host}.`);
  return {
    port: wholeNumber('--port', values.port, 0, 65_535),
    controlPort: wholeNumber('--control-port', values['control-port'], 0, 65_535),
    ...listenerPortIn(values),
    ...(values['http2-port'] === undefined
      ? {}
      : { http2Port: wholeNumber('--http2-port', values['http2-port'], 0, 65_535) }),
    ...(values['receiver-port'] === undefined
      ? {}
      : { receiverPort: wholeNumber('--receiver-port', values['receiver-port'], 1, 65_535) }),
    seed: wholeNumber('--seed', values.seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    testClock: values['test-clock'],
    version: versionIn(values.play),
    address,
    consoleToken: values.ui ? randomBytes(24).toString('base64url') : null,
    eventsUrl: values['ui-events'] ?? null,
    scenario: values.scenario === undefined ? null : await loadScenario(values.scenario),
    receiverKeys: readSecrets(process.env[secretVariable] ?? ''),
    exitWithStdin: values['exit-with-stdin'],
    provider: providerIn(values['pass-to']),
    settings: {
      strict: values.strict,
      strictModels: values['strict-models'],
      variants: variantsIn(values.variant),
    },
    ...(values.fixtures === undefined ? {} : { files: await filesAt(values.fixtures) }),
  };
}

function readFlags(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: 'string', default: '0' },
        'control-port': { type: 'string', default: '0' },
        'listener-port': { type: 'string' },
        'http2-port': { type: 'string' },
        fixtures: { type: 'string', multiple: true },
        'pass-to': { type: 'string' },
        strict: { type: 'boolean', default: false },
        'strict-models': { type: 'boolean', default: false },
        'receiver-port': { type: 'string' },
        seed: { type: 'string', default: '1' },
        host: { type: 'string' },
        name: { type: 'string' },
        'tls-cert': { type: 'string' },
        'tls-key': { type: 'string' },
        play: { type: 'string' },
        variant: { type: 'string', multiple: true, default: [] },
        'test-clock': { type: 'boolean', default: false },
        ui: { type: 'boolean', default: false },
        'ui-events': { type: 'string' },
        scenario: { type: 'string' },
        'exit-with-stdin': { type: 'boolean', default: false },
      },
    });
    const [scenario = values.scenario, ...more] = positionals;
    if (more.length > 0) throw new Error(`one scenario at a time, not also ${more.join(' ')}`);
    return { ...values, scenario };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error);
    throw new BadFlags(`${reason.replace(/\.$/, '')}; --help lists all options.`);
  }
}

function listenerPortIn(values: ReturnType<typeof readFlags>): Pick<Flags, 'listenerPort'> {
  const given = values['listener-port'];
  if (given === undefined) return {};
  return { listenerPort: wholeNumber('--listener-port', given, 1, 65_535 - brokenListenerKinds.length) };
}

/** Loads the YAML reader on demand. @throws BadFile */
async function filesAt(paths: readonly string[]): Promise<FileScripts> {
  const { watchScripts } = await import('./files/watch-scripts.ts');
  return watchScripts(paths, (error) =>
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`),
  );
}

function wholeNumber(flag: string, value: string, min: number, max: number): number {
  const number = Number(value);
  if (/^-?\d+$/.test(value) && number >= min && number <= max) return number;
  throw new BadFlags(`${flag} must be a whole number from ${min} to ${max}, not "${value}".`);
}

function versionIn(word: string | undefined): DialectVersion | null {
  if (word === undefined) return null;
  const version = dialectVersions.find((one) => one === word);
  if (version === undefined)
    throw new BadFlags(`--play must be ${dialectVersions.join(' or ')}, not "${word}".`);
  return version;
}

function providerIn(given: string | undefined): Upstream | null {
  try {
    return given === undefined ? null : parseUpstream(given);
  } catch (error) {
    throw new BadFlags(`--pass-to: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function variantsIn(names: readonly string[]): readonly string[] {
  const refusal = refuseVariants(names);
  if (refusal !== null) throw new BadFlags(`--variant: ${refusal}.`);
  return names;
}

function reportDefect(error: unknown): void {
  process.stderr.write(
    `simulators: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}
