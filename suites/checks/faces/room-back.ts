import type { Reply } from 'gatecheck-simulators/client';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { native } from '../../generators/native-answer.ts';
import { must, part, Untestable } from '../../rules/violation.ts';
import { freedWithinMs } from '../../steps/failures/pass-timeouts.ts';
import { routesOf, serverFault } from '../../steps/failures/routed-call.ts';
import type { Protocol } from '../../steps/protocols/protocol.ts';
import { compatOf, keepProtocolClosed, streamsOn } from '../../steps/protocols/protocol-model.ts';
import { mayServe, servesRoute } from '../../steps/protocols/said.ts';
import { type ChatWay, chatWay, wayLabel } from '../../steps/ways/way-in.ts';
import { isSuccess } from '../../wire/exchange.ts';

const requirement = 'ROUTE-010';

/** One way for the call in a channel's only slot to end. */
interface Ending {
  readonly title: string;
  readonly reply: (protocol: Protocol, stream: boolean) => Reply;
  /** Whether it counts against the channel. */
  readonly fails?: true;
  /** Whether only a stream can end so. */
  readonly streamed?: true;
  /** The client disconnects while the upstream holds the call. */
  readonly leaves?: true;
}

const pieces = ['One, ', 'two, ', 'three.'];

const endings: readonly Ending[] = [
  { title: 'a good answer', reply: () => ({}) },
  { title: 'a failure of the upstream', reply: () => serverFault, fails: true },
  { title: 'a broken connection', reply: () => ({ cut: { after: 'head', by: 'rst' } }), fails: true },
  { title: 'a prompt that policy blocks', reply: ({ dialect }, stream) => native(dialect).blocked(stream) },
  { title: 'a client that disconnects early', reply: () => ({ gates: ['head'] }), leaves: true },
  {
    title: 'a stream that breaks',
    reply: () => ({ deltas: pieces, cut: { after: 2, by: 'fin' } }),
    fails: true,
    streamed: true,
  },
  {
    title: 'a client that disconnects midway',
    reply: () => ({ deltas: pieces, gates: [1] }),
    streamed: true,
    leaves: true,
  },
];

export const roomComesBackOnCompat = defineCheck({
  id: 'faces.full.room-back',
  title: 'on compat paths too a channel with room for one call is free again however the last one ended',
  requirements: [requirement],
  kind: 'concurrency',
  needs: ['upstream.control', 'upstream.routes.narrow'],
  run: async (parts) => {
    const judged = await Promise.all(
      compatOf(parts).map(({ protocol, models }) => judgeProtocol(parts, protocol, models[0])),
    );
    if (!judged.includes(true))
      throw new Untestable('upstream.routes with a narrow one whose model a compat path serves');
  },
});

/** False where the compat path serves no such model. `known` is one of the catalogue. */
async function judgeProtocol(parts: CheckParts, protocol: Protocol, known: string): Promise<boolean> {
  const route = routesOf(parts.target, 'narrow').find(
    ({ model, channels }) =>
      mayServe(protocol, model) && channels.every(({ dialect }) => dialect === protocol.dialect),
  );
  if (route === undefined || !(await servesRoute(parts, { protocol, model: route.model }))) return false;
  const forms = (await streamsOn(parts, { protocol, model: known })) ? [false, true] : [false];
  for (const stream of forms)
    for (const ending of endings.filter(({ streamed }) => stream || streamed === undefined))
      await part(() => judgeEnding(parts, chatWay(protocol, route.model, stream), ending));
  return true;
}

async function judgeEnding(parts: CheckParts, way: ChatWay, ending: Ending): Promise<void> {
  const { cases, newScene, judge } = parts;
  const { protocol, model, stream } = way;
  cases.count();
  if (ending.fails) await keepProtocolClosed(parts, { protocol, model });
  const scene = newScene();
  await scene.script(ending.reply(protocol, stream));
  const label = `${wayLabel(way)}: ${ending.title}`;
  const live = way.open(parts, way.body(scene), { label });
  if (ending.leaves) {
    if (!(await scene.held(1))) judge.note(`${label}: not held at the upstream`);
    live.abort();
  }
  await live.done;
  const until = performance.now() + (ending.leaves ? freedWithinMs : 0);
  for (;;) {
    cases.signal.throwIfAborted();
    const after = await way.open(parts, way.body(newScene()), { label: `${label}, the call after it` }).done;
    if (isSuccess(after) || performance.now() >= until) {
      must(isSuccess(after), {
        ...{ requirement, aspect: 'free-again-on-compat', exchange: after },
        expected: `an answer after a previous call that ended in ${ending.title}`,
        actual: `HTTP ${after.response?.status ?? 'without an answer'}`,
      });
      return;
    }
  }
}
