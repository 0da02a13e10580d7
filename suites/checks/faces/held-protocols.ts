import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene, UpstreamRequest } from '../../engine/scene.ts';
import { must } from '../../rules/violation.ts';
import type { ProtocolModel } from '../../steps/protocols/protocol-model.ts';
import { readSaid } from '../../steps/protocols/said.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** A call that the upstream holds: a plain one before its head, a stream before its end. */
export interface HeldProtocol extends ProtocolModel {
  readonly stream: boolean;
}

export interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

/** Calls in flight. */
export interface HeldProtocols {
  /** Releases all remaining calls and judges that each completes. */
  finish(): Promise<void>;
  /** Releases the first call and judges that it completes. */
  finishOne(): Promise<void>;
}

interface Held {
  readonly call: HeldProtocol;
  readonly scene: Scene;
  readonly live: LiveExchange;
}

/** Puts calls of several protocols in flight and waits until the upstream holds each. */
export async function holdProtocols(
  parts: CheckParts,
  calls: readonly HeldProtocol[],
  rule: Rule,
): Promise<HeldProtocols> {
  const held = await Promise.all(calls.map((call, index) => open(parts, call, `held ${index + 1}`)));
  const reached = await Promise.all(
    held.map(({ scene, live }) =>
      // Nobody awaits it once the call has ended, so its error is ignored.
      Promise.race([scene.held(1).catch(() => false), live.done.then(() => false)]),
    ),
  );
  if (reached.includes(false)) {
    for (const { live } of held) live.abort();
    const ended = await Promise.all(held.map(({ live }) => live.done));
    must(false, {
      ...rule,
      expected: `${calls.length} calls in flight at once: ${calls.map(({ protocol }) => protocol.name).join(', ')}`,
      actual: `${reached.filter((one) => one).length} of them reach the upstream`,
      exchange: ended.find((_, index) => !reached[index]),
    });
  }
  const waiting = [...held];
  const complete = async ({ call, scene, live }: Held): Promise<void> => {
    const [request] = await scene.requests(1);
    await scene.release(request as UpstreamRequest);
    const { protocol, model, stream } = call;
    readSaid(parts.judge, protocol, await live.done, { ...rule, model, stream });
  };
  return {
    finish: async () => {
      await Promise.all(waiting.splice(0).map(complete));
    },
    finishOne: async () => {
      await Promise.all(waiting.splice(0, 1).map(complete));
    },
  };
}

/** Judges that the cap refuses a call before it reaches an upstream. */
export async function refusedByCap(
  { cases, newScene, http, judge }: CheckParts,
  { protocol, model, stream }: HeldProtocol,
  rule: Rule,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const options = { label: `one too many, ${protocol.name}${stream ? ', stream' : ''}`, stream };
  const exchange = await protocol.open(http, model, protocol.body(scene, { model }), options).done;
  judge.refused(exchange, { ...rule, codes: ['concurrency_exceeded'] });
  must((await scene.requestsNow()).length === 0, {
    requirement: 'LIM-003',
    aspect: 'no-upstream-call',
    expected: 'no upstream request for a call above the cap',
    actual: 'one arrived',
    exchange,
  });
}

async function open({ newScene, http }: CheckParts, call: HeldProtocol, label: string): Promise<Held> {
  const { protocol, model, stream } = call;
  const scene = newScene();
  await scene.script({ text: 'Held for a while.', gates: [stream ? 'end' : 'head'] });
  const options = { label: `${label}, ${protocol.name}`, stream };
  return { call, scene, live: protocol.open(http, model, protocol.body(scene, { model }), options) };
}
