import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { loadProfile } from '../profile/load-profile.ts';
import { type Proxy as Front, startProxy } from '../rewrite/proxy.ts';
import { readReport, runCli } from './testing/run-cli.ts';
import { upBeside } from './testing/up.ts';

const { folder, target } = upBeside('replay');
const out = join(folder, 'out');
const file = join(out, 'report.json');

/** A deployment that answers a missing key with another code, until it is fixed. */
let front: Front;
let isMended = false;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  const { base_url: origin, keys } = loadProfile(target, {});
  env = { GATECHECK_KEY: keys.K1 };
  const spoil = (text: string): string => (isMended ? text : text.replace('"invalid_api_key"', '"no_key"'));
  front = await startProxy((path) => ({
    ...{ origin, path },
    mutation: { answer: (answer) => ({ ...answer, body: Buffer.from(spoil(answer.body.toString())) }) },
  }));
  const only = ['--only', 'auth.header.missing', '--seed', '3', '--out', out];
  const { code } = await runCli(['run', '--base-url', front.url, ...only], env);
  expect(code).toBe(exitCodes.failures);
}, 180_000);
afterAll(() => front.close());

it('repeats a failing case, also on the reference, with the differences first', async () => {
  const failure = readReport(out).checks[0]?.failure;
  const { code, stdout } = await runCli(['replay', file, 'auth.header.missing', '--beside'], env);
  expect(code).toBe(exitCodes.failures);
  expect(stdout).toContain(
    `auth.header.missing: fail on ${readReport(out).target.name}, pass on the reference`,
  );
  expect(stdout).toContain(`${failure?.requirement} ${failure?.aspect}: `);
  const [, request = '', differences = '', own = '', reference = ''] =
    /\nRequest\n(.*?)\n\nWhat differs\n(.*?)\n\nAnswer of (.*?)\n\nAnswer of the reference: (.*)$/s.exec(
      stdout,
    ) ?? [];
  expect(request).toContain(`${failure?.exchange?.request.method} ${failure?.exchange?.request.url}`);
  expect(differences).toContain('body.error.code\n');
  expect(differences).not.toContain('status');
  expect(own).toContain('"no_key"');
  expect(reference).toMatch(/^HTTP 401 .*"invalid_api_key"/s);
  expect(stdout).not.toContain(env.GATECHECK_KEY);
}, 180_000);

it('finds a case by its cause, and reports when it no longer fails', async () => {
  const { requirement, aspect } = readReport(out).checks[0]?.failure ?? {};
  isMended = true;
  const { code, stdout } = await runCli(['replay', file, `${requirement} ${aspect}`], env);
  expect(stdout).toContain(`${requirement} ${aspect} was not seen again`);
  expect(code).toBe(exitCodes.conforming);
}, 120_000);

it.each([
  [[file, 'auth.header.missin'], 'did you mean auth.header.missing?'],
  [[join(folder, 'none.json')], 'REPORT'],
])('refuses what it cannot repeat: %j', async (args, sentence) => {
  const { code, stderr } = await runCli(['replay', ...args], env);
  expect(stderr).toContain(sentence);
  expect(code).toBe(exitCodes.usage);
});
