import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import { bearer, type JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { type CoreRoute, chatRoute, imagesRoute, submitRoute } from '../../oracle/core-routes.ts';
import { keyCodes } from '../../oracle/error-table.ts';
import { must } from '../../rules/violation.ts';
import { judgeMeter, judgeNoCharge } from '../../steps/money/judge-no-charge.ts';
import { callRoute, mediaIdsOf } from '../../steps/routes/call-route.ts';
import { type WayIn, wayLabel } from '../../steps/ways/way-in.ts';
import { chatWaysOf } from '../../steps/ways/ways-of.ts';
import type { Exchange } from '../../wire/exchange.ts';

export const refusedKeyCostsNothing = defineCheck({
  id: 'auth.refused.no-charge',
  title: 'a call that is refused for its key costs nothing, and nothing is counted for it',
  requirements: ['AUTH-017'],
  kind: 'example',
  needs: ['charges', 'chat'],
  run: async (parts) => {
    const { newScene, target, cases, judge } = parts;
    const scene = newScene();
    const calls = generatingCalls(target, scene, scene.minimal(target.anyModel()));
    // Determined before the charges are watched, because it needs successful calls.
    const compat = await compatWaysOf(parts);
    await judgeNoCharge(parts, 'AUTH-017', async () => {
      const refusals: Exchange[] = [];
      for (const { label, headers } of refusedCallers(parts)) {
        for (const { route, body } of calls) {
          cases.count();
          const refusal = await callRoute(parts, route, { label, headers, body });
          judge.refused(refusal, { requirement: 'AUTH-017', aspect: 'refused', codes: keyCodes });
          refusals.push(refusal);
        }
      }
      return [...refusals, ...(await refuseOn(compat, parts, scene))];
    });
    await judgeMeter(parts, 'AUTH-017');
  },
});

export const refusedKeyHasNoEffect = defineCheck({
  id: 'auth.refused.no-effect',
  title: 'a call refused for its key never reaches an upstream, on any endpoint',
  requirements: ['AUTH-017'],
  kind: 'upstream',
  needs: ['upstream.control', 'chat'],
  run: async (parts) => {
    const { newScene, target, cases, judge, http } = parts;
    const scene = newScene();
    const body = scene.minimal(target.anyModel());
    const calls = generatingCalls(target, scene, body);
    for (const { label, headers } of refusedCallers(parts)) {
      for (const call of calls) {
        cases.count();
        const refusal = await callRoute(parts, call.route, { label, headers, body: call.body });
        judge.refused(refusal, { requirement: 'AUTH-017', aspect: 'refused', codes: keyCodes });
      }
    }
    await refuseOn(await compatWaysOf(parts), parts, scene);
    // The twins come last: when they have arrived, everything sent before them would have arrived.
    const twin = await http.chat(body, { label: 'positive twin' });
    judge.completed(twin, { requirement: 'AUTH-017', aspect: 'twin-served', model: body.model });
    const tasks = calls.filter(({ route }) => route.takes === 'task');
    for (const task of tasks) {
      const submitted = await parts.tasks.submit(task.body, { label: 'positive twin' });
      parts.tasks.accepted(submitted, { requirement: 'AUTH-017', aspect: 'twin-served' });
    }
    const wanted = 1 + tasks.length;
    const arrived = await scene.requests(wanted);
    must(arrived.length === wanted, {
      requirement: 'AUTH-017',
      aspect: 'no-upstream-call',
      expected: `${wanted} upstream requests, all of the caller with a good key`,
      actual: `${arrived.length} upstream requests`,
      twin,
    });
  },
});

/** A call of each route that generates, whose body carries the scene's marker. */
function generatingCalls(
  target: Target,
  scene: Scene,
  chat: JsonObject,
): readonly { readonly route: CoreRoute; readonly body: JsonObject }[] {
  const media = ([imagesRoute, submitRoute] as const).flatMap((route) => {
    const [model] = mediaIdsOf(target, route.takes === 'images' ? 'images' : 'tasks');
    return model === undefined ? [] : [{ route, body: scene.minimalMedia(model) }];
  });
  const chats = [false, true].map((stream) => ({ route: chatRoute, body: { ...chat, stream } }));
  return [...chats, ...media];
}

/** The compat paths, plain and streamed. Sends successful calls to detect whether they stream. */
async function compatWaysOf(parts: CheckParts): Promise<readonly WayIn[]> {
  return (await chatWaysOf(parts)).filter(({ name }) => name !== 'core');
}

/** Calls these endpoints with keys that are refused. The bodies carry the scene's marker. */
async function refuseOn(ways: readonly WayIn[], parts: CheckParts, scene: Scene): Promise<Exchange[]> {
  const { cases, judge, keys, rng } = parts;
  const { disabled, expired, ip_restricted } = keys;
  const refused = [`sk-app-${rng.hex(40)}`, disabled, expired, ip_restricted].filter(
    (key) => key !== undefined,
  );
  const refusals: Exchange[] = [];
  for (const way of ways)
    for (const key of refused) {
      cases.count();
      const label = `${wayLabel(way)}, a key that is refused`;
      const refusal = await way.send(parts, way.body(scene), { label, key });
      judge.refused(refusal, { requirement: 'AUTH-017', aspect: 'refused', codes: keyCodes });
      refusals.push(refusal);
    }
  return refusals;
}

/** Callers whose key is refused. */
function refusedCallers({ keys, rng }: CheckParts): { label: string; headers: Record<string, string> }[] {
  const { disabled, expired, ip_restricted } = keys;
  const grey = Object.entries({ disabled, expired, ip_restricted });
  return [
    { label: 'no key', headers: {} },
    { label: 'a malformed header', headers: { authorization: keys.K1 } },
    { label: 'an unknown key', headers: bearer(`sk-app-${rng.hex(40)}`) },
    { label: 'a key in the wrong place', headers: { 'x-api-key': keys.K1 } },
    ...grey.flatMap(([name, key]) =>
      key === undefined ? [] : [{ label: `the ${name} key`, headers: bearer(key) }],
    ),
  ];
}
