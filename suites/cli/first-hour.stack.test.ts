import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { loadProfile } from '../profile/load-profile.ts';
import { runCli } from './testing/run-cli.ts';
import { upBeside } from './testing/up.ts';

const { folder, target } = upBeside('first-hour');

it('init writes a profile that doctor understands, and does not overwrite it', async () => {
  const { base_url: url, keys } = loadProfile(target, {});
  const env = { GATECHECK_KEY: keys.K1 };
  const out = join(folder, 'mine.yaml');
  const written = await runCli(['init', '--base-url', url, '--out', out], env);
  expect(written.code).toBe(exitCodes.conforming);
  const text = readFileSync(out, 'utf8');
  expect(text).not.toContain(keys.K1);

  const before = await runCli(['doctor', '--target', out, '--json'], env);
  const { evidence } = JSON.parse(before.stdout);
  expect(before.code).toBe(exitCodes.conforming);
  expect(evidence.checks).toBeGreaterThan(200);
  expect(evidence.gains.map(({ fact }: { fact: string }) => fact)).toContain('upstream.control');

  // Each block of comments is a part of the profile once its marks are taken away.
  const declared = text.replaceAll(/^# (http:| {2}(?:body_bytes|direct|header_timeout_ms):)/gm, '$1');
  writeFileSync(out, declared);
  const after = await runCli(['doctor', '--target', out], env);
  expect(after.stdout).not.toContain('http.body_bytes');
  const [, judged = ''] = /evidence\s+(\d+) of/.exec(after.stdout) ?? [];
  expect(Number(judged)).toBeGreaterThan(evidence.checks);

  const again = await runCli(['init', '--base-url', url, '--out', out], env);
  expect(again.code).toBe(exitCodes.usage);
  expect(again.stderr).toContain('exists already');
}, 120_000);

it('doctor reports a disabled key that works as a failure of its rule, and exits with 1', async () => {
  const profile = loadProfile(target, {});
  const { K1 } = profile.keys;
  const out = join(folder, 'wrong.yaml');
  writeFileSync(out, `base_url: ${profile.base_url}\nkeys: { K1: ${K1}, disabled: ${K1} }\n`);
  const { code, stdout } = await runCli(['doctor', '--target', out]);
  expect(stdout).toContain(
    'WRONG   keys.disabled: it should be refused as sk_disabled; got HTTP 200; AUTH-008 fails',
  );
  expect(stdout).not.toContain(K1);
  expect(code).toBe(exitCodes.failures);
}, 60_000);

it('doctor reports nothing missing on the stack of `up`', async () => {
  const { code, stdout } = await runCli(['doctor', '--target', target]);
  expect(stdout).toContain('Nothing is missing.');
  expect(code).toBe(exitCodes.conforming);
}, 60_000);
