import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { failuresOf } from '../../reports/failures-of.ts';
import type { Report } from '../../reports/report.ts';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import { objectIn } from '../mutation/json.ts';
import { editAnswer, editChunks, type Mutation } from '../mutation/mutation.ts';
import { type FrontProxy, startFrontProxy } from '../proof/front-proxy.ts';
import { type Stack, startStack } from '../stack/stack.ts';

/** A gateway that passes on the dated names of its upstreams, and gives usage in streams only when asked. */
const deviating: Mutation = {
  answer: editAnswer((answer) => {
    if (answer.object === 'chat.completion') answer.model = `${String(answer.model)}-2026-08-07`;
  }),
  events: (request) => {
    const options = objectIn(request.body)?.stream_options as { include_usage?: unknown } | undefined;
    return editChunks((chunk) => {
      const { usage, ...rest } = chunk;
      const said = options?.include_usage === true && usage !== undefined ? { ...rest, usage } : rest;
      return [chunk.object === undefined ? chunk : { ...said, model: `${String(chunk.model)}-20260807` }];
    })();
  },
};

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-deviations-'));
let stack: Stack;
let front: FrontProxy;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1 });
  front = await startFrontProxy(stack.baseUrl, new Map([['deviating', deviating]]));
});
afterAll(async () => {
  await front.close();
  await stack.stop();
  rmSync(folder, { recursive: true });
});

/** Judges the deviating gateway by its address and a key, with these lines more in its profile. */
async function judge(name: string, more: object): Promise<{ report: Report; code: number | null }> {
  const profile = join(folder, `${name}.json`);
  const facts = {
    name,
    base_url: front.baseUrlOf('deviating'),
    keys: { K1: stack.profile.keys.K1 },
    ...more,
  };
  writeFileSync(profile, JSON.stringify(facts));
  const out = join(folder, name);
  const only =
    'resp.model,resp.shape,resp.finish.stop,sse.shape,sse.models,sse.content,chat.minimal,chat.client';
  const { code, stderr } = await runCli([
    ...['run', '--target', profile, '--only', only, '--out', out],
    ...['--seed', '3', '--size', 'smoke'],
  ]);
  expect([0, 1], stderr).toContain(code);
  return { report: readReport(out), code };
}

const failed = ({ checks }: Report) => checks.filter(({ verdict }) => verdict === 'fail');
const blamed = (report: Report) =>
  [
    ...new Set(
      failed(report)
        .flatMap(failuresOf)
        .map(({ requirement }) => requirement),
    ),
  ].toSorted();

const deviations = ['usage-on-request', 'dated-model-names'];
const told = ['resp.shape.every-model', 'sse.shape.every-model'];

it('two causes fail most checks of chats, unless they are declared: then each is told once', async () => {
  const { report: plain } = await judge('plain', {});
  expect(failed(plain).length).toBeGreaterThan(3);
  const { report, code } = await judge('declared', { deviations });
  expect(code).toBe(1);
  expect(
    failed(report)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(told);
  expect(blamed(report)).toEqual(['RESP-004', 'SSE-009']);
  expect(report.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(2);
  expect(report.notices?.join('\n')).toMatch(
    /Deviations .*usage-on-request.*SSE-009.*dated-model-names.*RESP-004/,
  );
  expect(JSON.stringify(report)).toContain(front.baseUrlOf('deviating'));
}, 300_000);

it('waived, they leave a run green', async () => {
  const waivers = ['RESP-004', 'SSE-009'].map((id) => ({ id, reason: 'as our callers know it' }));
  const { report, code } = await judge('waived', { deviations, waivers });
  expect(code).toBe(0);
  const waived = report.checks.filter(({ verdict }) => verdict === 'waived');
  expect(waived.map(({ id }) => id).toSorted()).toEqual(told);
}, 300_000);

it('an unknown one is refused by name', async () => {
  const profile = join(folder, 'unknown.json');
  writeFileSync(
    profile,
    JSON.stringify({ base_url: stack.baseUrl, keys: { K1: stack.profile.keys.K1 }, deviations: ['odd'] }),
  );
  const { code, stderr } = await runCli(['run', '--target', profile, '--out', join(folder, 'unknown')]);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no odd');
});
