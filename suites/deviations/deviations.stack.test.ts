import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failuresOf } from 'gatecheck-reports/failures-of';
import type { Report } from 'gatecheck-reports/report';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readReport, runCli } from '../cli/testing/run-cli.ts';
import { combineMutations } from '../rewrite/combine-mutations.ts';
import { type FrontProxy, startFrontProxy } from '../rewrite/front-proxy.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { deviating } from './testing/deviating.ts';

/** Gateways with several of the deviations at once. */
const gateways: Readonly<Record<string, readonly string[]>> = {
  upstreamLike: ['usage-on-request', 'dated-model-names'],
  elsewhere: ['path-prefix', 'request-headers', 'other-model-names', 'null-members'],
  otherWords: ['finish-reasons', 'task-states', 'no-done'],
};

const partsOf = (name: string) => deviating.filter(({ id }) => gateways[name]?.includes(id));

const folder = mkdtempSync(join(tmpdir(), 'gatecheck-deviations-'));
let stack: Stack;
let front: FrontProxy;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1 });
  front = await startFrontProxy(
    stack.baseUrl,
    new Map(
      Object.keys(gateways).map((name) => [
        name,
        combineMutations(partsOf(name).map(({ mutation }) => mutation)),
      ]),
    ),
  );
}, 180_000);
afterAll(async () => {
  await front.close();
  await stack.stop();
  rmSync(folder, { recursive: true });
});

/** A profile of a deviating gateway by its address and a key, with these lines more in it. */
function profileOf(gateway: string, name: string, more: object): string {
  const path = join(folder, `${name}.json`);
  const facts = {
    name,
    base_url: front.baseUrlOf(gateway),
    keys: { K1: stack.profile.keys.K1 },
    ...more,
  };
  writeFileSync(path, JSON.stringify(facts));
  return path;
}

const chats =
  'auth.key.accepted,ep.routes.served,resp.model,resp.shape,resp.finish.stop,sse.shape,sse.models,sse.content,chat.minimal,chat.client';

async function judge(
  profile: string,
  only: string = chats,
): Promise<{ report: Report; code: number | null }> {
  const out = `${profile}-report`;
  const { code, stderr } = await runCli([
    ...['run', '--target', profile, '--only', only, '--out', out],
    ...['--seed', '3', '--size', 'smoke'],
  ]);
  expect([0, 1], stderr).toContain(code);
  return { report: readReport(out), code };
}

const failed = ({ checks }: Report) => checks.filter(({ verdict }) => verdict === 'fail');
const idsOf = (checks: Report['checks']) => checks.map(({ id }) => id).toSorted();
const rulesOf = (report: Report) =>
  [
    ...new Set(
      failed(report)
        .flatMap(failuresOf)
        .map(({ requirement }) => requirement),
    ),
  ].toSorted();
const declared = (gateway: string) =>
  partsOf(gateway).map(({ id, given }) => (given === undefined ? id : { [id]: given }));

it('two causes fail most chat checks; once declared, each is reported once', async () => {
  const { report: plain } = await judge(profileOf('upstreamLike', 'plain', {}));
  expect(failed(plain).length).toBeGreaterThan(3);
  expect(rulesOf(plain)).toEqual(['RESP-004', 'SSE-009']);
  const { report, code } = await judge(
    profileOf('upstreamLike', 'declared', { deviations: declared('upstreamLike') }),
  );
  expect(code).toBe(1);
  expect(idsOf(failed(report))).toEqual(['resp.shape.every-model', 'sse.shape.every-model']);
  expect(rulesOf(report)).toEqual(['RESP-004', 'SSE-009']);
  expect(report.checks.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(4);
  const notices = report.notices?.join('\n') ?? '';
  expect(notices).toMatch(/Deviations .*dated-model-names.*RESP-004.*usage-on-request.*SSE-009/);
  expect(JSON.stringify(report)).toContain(front.baseUrlOf('upstreamLike'));
}, 300_000);

it.each([
  {
    gateway: 'elsewhere',
    rules: ['AUTH-001', 'EP-004', 'RESP-004', 'SSE-005'],
    told: ['auth.key.accepted', 'ep.routes.served', 'resp.shape.every-model', 'sse.shape.every-model'],
  },
  {
    gateway: 'otherWords',
    rules: ['RESP-009', 'SSE-008', 'STATE-001'],
    told: ['resp.shape.every-model', 'sse.shape.every-model', 'task.life.image'],
    only: 'resp.shape,resp.finish.stop,chat.minimal,sse.shape,task.life.image,task.id,jrny.steps',
  },
])(
  'a run is green with the deviations of $gateway declared and waived',
  async ({ gateway, rules, told, only = chats }) => {
    const waivers = rules.map((id) => ({ id, reason: 'as our callers know it' }));
    const profile = profileOf(gateway, `${gateway}-waived`, { deviations: declared(gateway), waivers });
    const { report, code } = await judge(profile, only);
    expect([code, failed(report)]).toEqual([0, []]);
    expect(idsOf(report.checks.filter(({ verdict }) => verdict === 'waived'))).toEqual(told);
  },
  300_000,
);

it.each(['doctor', 'plan'])(
  '%s probes the deployment in the same way as a run',
  async (command) => {
    const profile = profileOf('elsewhere', command, { deviations: declared('elsewhere') });
    const { code, stdout, stderr } = await runCli([command, '--target', profile, '--json']);
    expect(code, stderr).toBe(0);
    if (command === 'doctor')
      expect(JSON.parse(stdout)).toMatchObject({ baseUrl: front.baseUrlOf('elsewhere'), lost: [] });
    const undeclared = await runCli([command, '--target', profileOf('elsewhere', `${command}-plain`, {})]);
    // Without the required headers the key appears invalid.
    expect(undeclared.code).toBe(2);
    expect(undeclared.stderr).toContain(front.baseUrlOf('elsewhere'));
  },
  120_000,
);

it('rejects an unknown deviation by name', async () => {
  const profile = profileOf('elsewhere', 'unknown', { deviations: ['odd'] });
  const { code, stderr } = await runCli(['run', '--target', profile, '--out', join(folder, 'unknown')]);
  expect(code).toBe(2);
  expect(stderr).toContain('there is no odd');
});
