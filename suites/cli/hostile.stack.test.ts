import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { type Hostile, hostile } from './testing/hostile-servers.ts';
import { type CliOutcome, startCli } from './testing/run-cli.ts';

/**
 * A server that is no gateway, or a broken one, costs at most a minute: one sentence, the right exit code, bounded memory.
 */

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The most memory that it may ever have had, MB: before the first check, with one key, with eight checks side by side. */
const mostMegabytes = { preflight: 500, oneKey: 900, eightLanes: 1_400 } as const;
/** The time limit of a run, ms. */
const withinMs = 60_000;

interface Watched extends CliOutcome {
  readonly tookMs: number;
  /** The most memory that it had at once, MB; null where the system does not report it. */
  readonly megabytes: number | null;
}

let runs = 0;

/** Runs the suites, and measures time and memory. Sends an interrupt once `interruptAt` resolves. */
async function watch(
  args: readonly string[],
  interruptAt?: Promise<void>,
  command = 'run',
): Promise<Watched> {
  runs += 1;
  const out = join(folder, String(runs));
  let began = performance.now();
  const { child, outcome } = startCli([command, ...args, '--out', out]);
  let megabytes: number | null = null;
  const look = setInterval(() => {
    megabytes = peakOf(child.pid) ?? megabytes;
  }, 100);
  if (interruptAt !== undefined) {
    await interruptAt;
    began = performance.now();
    child.kill('SIGINT');
  }
  const ended = await outcome;
  clearInterval(look);
  return { ...ended, tookMs: performance.now() - began, megabytes };
}

const byKey = ({ url }: Hostile): string[] => ['--base-url', url, '--key', 'sk-app-x'];

/** A profile with accounts for eight checks at a time. */
function withEightLanes({ url }: Hostile): string[] {
  const tenants = Array.from({ length: 8 }, (_, place) => ({
    name: `lane-${place}`,
    keys: { K1: `sk-app-${place}` },
    channels: {},
  }));
  const file = join(folder, 'tenants.yaml');
  writeFileSync(file, JSON.stringify({ base_url: url, keys: { K1: 'sk-app-x' }, tenants }));
  return ['--target', file];
}

function peakOf(pid: number | undefined): number | null {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) / 1_024;
  } catch {
    return null;
  }
}

type Name = keyof typeof hostile;

const { unreachable, failures, interrupted } = exitCodes;

/** The exit code and the sentence for each server. */
const expected: Readonly<Record<Name, readonly [code: number, sentence: RegExp]>> = {
  website: [unreachable, /is a different API .*this is a web site: give the URL of the API/],
  '200 to all': [unreachable, /is a different API/],
  '401 to all': [unreachable, /is a different API .*ask for a login, or the key is not for this server/],
  '500 to all': [unreachable, /is a different API .*it may be down/],
  resets: [unreachable, /nothing to judge at .*it closed the connection without an answer/],
  'no answer': [unreachable, /nothing to judge at .*it took the request and did not answer it/],
  'another API': [unreachable, /is a chat API with other paths or names .*npx gatecheck init/],
  'an expired certificate': [unreachable, /its certificate has expired/],
  'https to a plain port': [unreachable, /the port does not speak TLS: try http:/],
  'an endless answer': [unreachable, /its answers do not end/],
  'an answer of 1 GB': [unreachable, /its answers do not end/],
  'one byte a second': [unreachable, /its answers do not end/],
  'models, then answers without an end': [unreachable, /its answers do not end/],
  'good refusals, then answers without an end': [failures, /stopped early: its answers do not end/],
  'good refusals, then answers of 64 MB': [failures, /stopped early: its answers do not end/],
};

/** The finding about a body that is too long. */
const foundTooLong = /^ {2}actual +more than 33554432 bytes of body$|then more than/m;

describe.concurrent('judged by URL and key:', () => {
  it.each(Object.keys(hostile) as Name[])('%s', { timeout: 2 * withinMs }, async (name) => {
    const server = await hostile[name]();
    try {
      const { code, stdout, stderr, tookMs, megabytes } = await watch(byKey(server));
      const [wanted, sentence] = expected[name];
      const said = `${stdout}${stderr}`;
      expect(said).toMatch(sentence);
      expect(code).toBe(wanted);
      if (name.endsWith('64 MB')) expect(said).toMatch(foundTooLong);
      if (wanted === unreachable) expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(tookMs).toBeLessThan(withinMs);
      expect(megabytes ?? 0).toBeLessThan(mostMegabytes[wanted === unreachable ? 'preflight' : 'oneKey']);
    } finally {
      server.close();
    }
  });
});

it('does not keep eight simultaneous answers of 64 MB', { timeout: 2 * withinMs }, async () => {
  const server = await hostile['good refusals, then answers of 64 MB']();
  try {
    const { code, stdout, tookMs, megabytes } = await watch(withEightLanes(server));
    // A check may judge its own answer first, or end because of other answers, but it never passes.
    expect([failures, unreachable]).toContain(code);
    expect(stdout).toMatch(/its answers do not end: 5 were longer than any may be/);
    if (code === failures) expect(stdout).toMatch(foundTooLong);
    expect(tookMs).toBeLessThan(withinMs);
    expect(megabytes ?? 0).toBeLessThan(mostMegabytes.eightLanes);
  } finally {
    server.close();
  }
});

describe('an interrupt ends the command at once:', () => {
  const servers: readonly Name[] = ['no answer', 'an endless answer', 'one byte a second'];
  it.each(servers.flatMap((name) => [['run', name] as const, ['fuzz', name] as const]))(
    '%s, %s',
    async (command, name) => {
      const server = await hostile[name]();
      try {
        const { code, stderr, tookMs } = await watch(byKey(server), server.asked, command);
        expect(stderr).toContain('Interrupted');
        expect(code).toBe(interrupted);
        expect(tookMs).toBeLessThan(2_000);
      } finally {
        server.close();
      }
    },
  );

  it.each(['run', 'fuzz'])('%s, while the stack starts', async (command) => {
    const out = join(folder, `early-${command}`);
    const { child, outcome } = startCli([command, '--reference', '--out', out]);
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const { code, stdout, stderr } = await outcome;
    expect([code, stdout]).toEqual([interrupted, '']);
    expect(stderr).toMatch(/^Starting the embedded reference stack …$/m);
    expect(stderr).toMatch(/^gatecheck: interrupted while the stack started$/m);
    // Nothing was waited for: there is nothing that could be reported.
    expect(existsSync(join(out, `${command === 'run' ? 'report' : 'fuzz'}.json`))).toBe(false);
  });
});
