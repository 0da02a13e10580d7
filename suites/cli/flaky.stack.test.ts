import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { exitCodes } from '../process/exit-codes.ts';
import { loadProfile } from '../profile/load-profile.ts';
import type { Mutation } from '../rewrite/mutation.ts';
import { type Proxy as Front, startProxy } from '../rewrite/proxy.ts';
import { readReport, runCli } from './testing/run-cli.ts';
import { upBeside } from './testing/up.ts';

const { folder, target } = upBeside('flaky');

/** A gateway that names the wrong reason for the end of the first answers that a stop sequence may end. */
function wrongEnds(count: number): Mutation {
  let left = count;
  return {
    answer: (answer, { body }) => {
      const text = answer.body.toString();
      if (left === 0 || !body.includes('"stop":') || !text.includes('"finish_reason":"stop"')) return answer;
      left -= 1;
      return {
        ...answer,
        body: Buffer.from(text.replace('"finish_reason":"stop"', '"finish_reason":"length"')),
      };
    },
  };
}

describe('a check that fails', () => {
  let proxy: Front;
  afterEach(() => proxy.close());

  async function runBehind(mutation: Mutation, name: string, ...args: string[]) {
    const { base_url: origin } = loadProfile(target, {});
    proxy = await startProxy((path) => ({ origin, path, mutation }));
    const out = join(folder, name);
    const options = ['--only', 'resp.finish.stop,ep.models.list', '--seed', '5', '--out', out, ...args];
    const { code, stdout } = await runCli(['run', '--target', target, '--base-url', proxy.url, ...options]);
    const report = readReport(out);
    return { code, stdout, report, check: report.checks.find(({ id }) => id === 'resp.finish.stop') };
  }

  it('once but passes when rerun alone is flaky: reported, counted, and not red', async () => {
    const { code, stdout, report, check } = await runBehind(wrongEnds(1), 'once');
    expect(check).toMatchObject({ verdict: 'flaky', failure: { requirement: 'RESP-010' } });
    // The rules over every exchange saw it, too.
    expect(report.headline).toBe('Conforming in what was judged: 1 of 3 checks; 2 flaky.');
    expect(code).toBe(exitCodes.conforming);
    expect(stdout).toContain('flaky');
  }, 120_000);

  it('once makes the run exit with 1 if requested', async () => {
    const { code } = await runBehind(wrongEnds(1), 'strict', '--fail-on-flaky');
    expect(code).toBe(exitCodes.failures);
  }, 120_000);

  it('repeatedly is a failure', async () => {
    const { code, check } = await runBehind(wrongEnds(Number.POSITIVE_INFINITY), 'always');
    expect(check?.verdict).toBe('fail');
    expect(check?.evidence.notes).toContain('failed again when rerun alone');
    expect(code).toBe(exitCodes.failures);
  }, 120_000);
});
