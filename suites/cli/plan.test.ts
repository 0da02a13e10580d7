import { expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { runCli } from './testing/run-cli.ts';

it('plan rejects what run would reject, before anything is sent', async () => {
  const { code, stderr } = await runCli([
    'plan',
    '--base-url',
    'http://127.0.0.1:1',
    '--key',
    'k',
    '--budget',
    'ussd=5',
  ]);
  expect(stderr).toContain('--budget: ussd: unknown member (did you mean usd?)');
  expect(code).toBe(exitCodes.usage);
}, 60_000);
