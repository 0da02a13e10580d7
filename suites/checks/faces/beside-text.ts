import { isDeepStrictEqual } from 'node:util';
import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { cellsOf, loadFaults } from '../../oracle/faults/fault-facts.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import type { Dialect } from '../../profile/dialects.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { must, part } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { channelsOf } from '../../steps/failures/routed-call.ts';
import { coreProtocol, type Protocol } from '../../steps/protocols/protocol.ts';
import { compatThere, streamsOn } from '../../steps/protocols/protocol-model.ts';
import { routesServed, untilAsked } from '../../steps/protocols/routes-served.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import { plainJson } from '../../values/json.ts';

const fault = { id: 'S24', form: 'beside-text' } as const;

/** The dialects whose streams can have a text and a call in one event. */
const dialects: ReadonlySet<Dialect> = new Set(
  loadFaults()
    .filter(({ id }) => id === fault.id)
    .flatMap(cellsOf)
    .flatMap(({ dialect, form }) => (form === fault.form ? [dialect] : [])),
);

const deltas = ['Both ', 'at once. 🌊'];
const calls = threeTools
  .slice(0, 2)
  .map(({ function: { name } }, n) => ({ name, arguments: { n, word: 'sea' } }));
const plain: Reply = {
  deltas,
  tool_calls: calls.map(({ name, arguments: given }) => ({ name, arguments: JSON.stringify(given) })),
};
const beside: Reply = { ...plain, fault };

const rules = {
  core: 'TOOL-007',
  'compat-a': 'COMPA-005',
  'compat-b': 'COMPB-005',
} as const satisfies Readonly<Record<Protocol['name'], string>>;

export const besideText = defineCheck({
  id: 'faces.answer.beside-text',
  title: 'a text and a tool call in one event of an upstream both arrive, on each protocol that streams',
  requirements: ['TOOL-007', 'COMPA-005', 'COMPB-005'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    const { target } = parts;
    if (target.hasChat)
      for (const model of dialectModels(target).filter((id) => dialects.has(dialectOf(id))))
        await part(() => judgeModel(parts, coreProtocol, model));
    for (const protocol of compatThere(target)) {
      const [native] = target.nativeModels.filter((model) => protocol.serves(model));
      if (native === undefined || !(await streamsOn(parts, { protocol, model: native }))) continue;
      if (dialects.has(dialectOf(native))) await part(() => judgeModel(parts, protocol, native));
      for (const route of await routesServed(parts, protocol, 'trio'))
        await part(() => judgeRoute(parts, protocol, route));
    }
  },
});

async function judgeModel(parts: CheckParts, protocol: Protocol, model: string): Promise<void> {
  const scene = parts.newScene();
  await scene.script(beside);
  await judgeCall(parts, protocol, model, scene);
}

/** Calls a model whose upstreams have other dialects than its callers, until each of them has answered. */
async function judgeRoute(
  parts: CheckParts,
  protocol: Protocol,
  { model, channels }: RouteProfile,
): Promise<void> {
  const wanted = channels.filter(({ dialect }) => dialects.has(dialect)).map(({ name }) => name);
  await untilAsked(parts, wanted, async () => {
    const scene = parts.newScene();
    for (const { name, dialect } of channels)
      await scene.scriptOn(name, dialects.has(dialect) ? beside : plain);
    await judgeCall(parts, protocol, model, scene);
    return channelsOf(scene);
  });
}

async function judgeCall(
  { cases, http, judge }: CheckParts,
  protocol: Protocol,
  model: string,
  scene: ReturnType<CheckParts['newScene']>,
): Promise<void> {
  cases.count();
  const requirement = rules[protocol.name];
  const body = protocol.body(scene, { model, tools: threeTools });
  const label = `${protocol.name}, text and call in one event of ${model}`;
  const exchange = await protocol.send(http, model, body, { label, stream: true });
  const said = readSaid(judge, protocol, exchange, {
    requirement,
    aspect: 'beside-answered',
    model,
    stream: true,
  });
  must(said.text === deltas.join(''), {
    ...{ requirement, aspect: 'text-of-event', exchange },
    expected: JSON.stringify(deltas.join('')),
    actual: JSON.stringify(said.text),
  });
  const seen = plainJson(said.calls);
  must(isDeepStrictEqual(seen, calls), {
    ...{ requirement, aspect: 'call-of-event', exchange },
    expected: JSON.stringify(calls),
    actual: JSON.stringify(seen),
  });
}
