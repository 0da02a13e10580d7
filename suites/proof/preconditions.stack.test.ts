import { afterAll, beforeAll, expect, it } from 'vitest';
import { failuresOf } from '../../reports/failures-of.ts';
import { minimalProfile } from '../profile/load-profile.ts';
import { execute } from '../runner/execute.ts';
import { preflight } from '../runner/preflight.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { startFrontProxy } from './front-proxy.ts';
import { preconditionFaults } from './testing/precondition-faults.ts';

/** Checks that need answers which they do not judge, and those that judge them. */
const checks = [
  'auth.header.missing',
  'auth.key.accepted',
  'auth.key.unknown',
  'chat.client.library',
  'chat.json-object.parses',
  'chat.minimal.every-model',
  'chat.optional.any-subset',
  'chat.sampling.every-model',
  'ep.json.chunked',
  'ep.models.list',
  'ep.models.usable',
  'ep.paths.unknown',
  'ep.routes.read',
  'ep.routes.served',
  'err.code.context-too-long',
  'err.code.invalid-api-key',
  'err.code.invalid-param',
  'err.code.model-not-found',
  'err.code.unsupported-capability',
  'lim.figures.enforced',
  'lim.rate.none',
  'lim.slot.every-refusal',
  'resp.finish.length',
  'resp.shape.every-model',
  'sse.models.all',
  'sse.shape.every-model',
  'sse.stream-flag.decides',
  'tool.calls.whole',
  'ver.models.exact',
  'ver.models.versions',
  'ver.paths.exact',
];

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ seed: 1, tenants: 1 });
});
afterAll(() => stack.stop());

it('a fault in what checks need is put down to its own rule, and to no other', async () => {
  const { K1 } = stack.profile.keys;
  const { models, mediaModels } = await preflight(minimalProfile(stack.baseUrl, K1));
  const proxy = await startFrontProxy(
    stack.baseUrl,
    new Map(preconditionFaults.map(({ id, mutation }) => [id, mutation])),
  );
  const targets = preconditionFaults.map(({ id }) => {
    const profile = minimalProfile(proxy.baseUrlOf(id), K1);
    return { id, stack: 'main', pool: 'main', profile, models, mediaModels };
  });
  const jobs = targets.flatMap(({ id }) => checks.map((check) => ({ target: id, check })));
  const input = {
    targets,
    jobs,
    seed: 5,
    size: 'smoke',
    path: null,
    livesOn: false,
    replayPrefix: '',
  } as const;
  const { results, faults } = await execute(input, {
    concurrency: 2,
    bail: 0,
    onResult: () => undefined,
    signal: new AbortController().signal,
  });
  await proxy.close();
  expect(faults).toEqual([]);
  expect(preconditionFaults.length).toBeGreaterThanOrEqual(20);
  expect(results.filter(({ verdict }) => verdict === 'harness-error')).toEqual([]);
  const blamed = preconditionFaults.map(({ id }) => {
    const failed = results.filter((result) => result.target === id).flatMap(failuresOf);
    return [id, [...new Set(failed.map(({ requirement }) => requirement))].toSorted()];
  });
  expect(Object.fromEntries(blamed)).toEqual(
    Object.fromEntries(preconditionFaults.map(({ id, rules }) => [id, rules.toSorted()])),
  );
}, 900_000);
