import { failuresOf } from 'gatecheck-reports/failures-of';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadArea } from '../../suites/checks/areas.ts';
import { clockRank } from '../../suites/engine/check.ts';
import { minimalProfile } from '../../suites/profile/load-profile.ts';
import { startFrontProxy } from '../../suites/rewrite/front-proxy.ts';
import { execute } from '../../suites/runner/execute.ts';
import { preflight } from '../../suites/runner/preflight.ts';
import { type Stack, startStack } from '../../suites/stack/stack.ts';
import { isWhole } from '../../suites/testing/test-size.ts';
import { areaFaults } from '../testing/area-faults.ts';
import { type PreconditionFault, preconditionFaults } from '../testing/precondition-faults.ts';

/** Checks that depend on answers which they do not judge, and the checks that judge those answers. */
const checks = [
  'auth.header.missing',
  'auth.key.accepted',
  'auth.key.unknown',
  'auth.order.first',
  'auth.place.wrong',
  'cat.media.closed',
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

/** The rules that checks blame on each faulty gateway, given only URL and key. */
async function blamesOf(
  faults: readonly PreconditionFault[],
  checksOf: (fault: PreconditionFault) => readonly string[],
): Promise<Record<string, string[]>> {
  const { K1 } = stack.profile.keys;
  const { models, mediaModels } = await preflight(minimalProfile(stack.baseUrl, K1));
  const mutations = new Map(faults.map(({ id, mutation }) => [id, mutation]));
  const proxy = await startFrontProxy(stack.baseUrl, mutations);
  const targets = faults.map(({ id }) => {
    const profile = minimalProfile(proxy.baseUrlOf(id), K1);
    return { id, stack: 'main', pool: 'main', profile, models, mediaModels };
  });
  const input = {
    targets,
    jobs: faults.flatMap((fault) => checksOf(fault).map((check) => ({ target: fault.id, check }))),
    seed: 5,
    size: 'smoke',
    path: null,
    livesOn: false,
    replayPrefix: '',
  } as const;
  const { results, faults: broken } = await execute(input, {
    concurrency: 2,
    bail: 0,
    onResult: () => undefined,
    signal: new AbortController().signal,
  });
  await proxy.close();
  expect(broken).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'harness-error')).toEqual([]);
  return Object.fromEntries(
    faults.map(({ id }) => {
      const failed = results.filter((result) => result.target === id).flatMap(failuresOf);
      return [id, [...new Set(failed.map(({ requirement }) => requirement))].toSorted()];
    }),
  );
}

const ownRules = (faults: readonly PreconditionFault[]) =>
  Object.fromEntries(faults.map(({ id, rules }) => [id, rules.toSorted()]));

it('a fault in a precondition is blamed on its own rule only', async () => {
  expect(preconditionFaults.length).toBeGreaterThanOrEqual(20);
  expect(await blamesOf(preconditionFaults, () => checks)).toEqual(ownRules(preconditionFaults));
}, 900_000);

// Runs all checks of several areas, which takes minutes. The list above has checks that once blamed another rule.
it.runIf(isWhole)(
  'all checks of an area blame its own rule, or are untestable',
  async () => {
    const all = new Map(
      await Promise.all(
        [...new Set(areaFaults.flatMap(({ areas }) => areas))].map(async (area) => {
          const loaded = await loadArea(area);
          return [area, loaded.filter((check) => clockRank(check) === 0).map(({ id }) => id)] as const;
        }),
      ),
    );
    const checksOf = ({ id }: PreconditionFault): readonly string[] =>
      areaFaults.find((fault) => fault.id === id)?.areas.flatMap((area) => all.get(area) ?? []) ?? [];
    expect(areaFaults.length).toBeGreaterThanOrEqual(15);
    expect(await blamesOf(areaFaults, checksOf)).toEqual(ownRules(areaFaults));
  },
  3_600_000,
);
