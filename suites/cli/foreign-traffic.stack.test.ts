import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { loadProfile } from '../profile/load-profile.ts';
import { startOtherClient } from './testing/other-client.ts';
import { readReport, runCli } from './testing/run-cli.ts';
import { upBeside } from './testing/up.ts';

const { folder, target } = upBeside('foreign');

it('another client of the same key causes no failure, and is reported once', async () => {
  const profile = loadProfile(target, {});
  const other = await startOtherClient(profile);
  const out = join(folder, 'beside');
  const args = [
    'run',
    '--base-url',
    profile.base_url,
    '--only',
    'lim.slot.every-refusal,RESP,AUTH',
    '--seed',
    '7',
    '--out',
    out,
  ];
  const { code, stdout } = await runCli(args, { GATECHECK_KEY: profile.keys.K1 });
  expect(other.served).toBeGreaterThan(3);
  await other.stop();
  const report = readReport(out);
  expect(report.checks.filter(({ verdict }) => ['fail', 'harness-error'].includes(verdict))).toEqual([]);
  expect(
    report.checks.filter(({ evidence }) => evidence.missing.some((fact) => fact.startsWith('cap:'))),
  ).toEqual([]);
  expect(report.notices).toHaveLength(1);
  expect(report.notices?.[0]).toContain('another client uses the account of the key');
  expect(stdout.replaceAll('\n', ' ').split('another client uses the account')).toHaveLength(2);
  expect(code).toBe(exitCodes.conforming);
}, 400_000);
