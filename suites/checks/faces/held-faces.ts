import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Scene, UpstreamRequest } from '../../engine/scene.ts';
import { must } from '../../rules/violation.ts';
import type { Facing } from '../../steps/faces/facing.ts';
import { readSaid } from '../../steps/faces/said.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';

/** A call on some face that the upstream holds back: a plain one before its head, a stream before its ending. */
export interface HeldFace extends Facing {
  readonly stream: boolean;
}

export interface Rule {
  readonly requirement: string;
  readonly aspect: string;
}

/** Calls in flight. */
export interface HeldFaces {
  /** Lets all that are left go and judges that each completes. */
  finish(): Promise<void>;
  /** Lets the first one go and judges that it completes. */
  finishOne(): Promise<void>;
}

interface Held {
  readonly call: HeldFace;
  readonly scene: Scene;
  readonly live: LiveExchange;
}

/** Puts calls of any faces in flight and waits until the upstream holds every one of them. */
export async function holdFaces(
  parts: CheckParts,
  calls: readonly HeldFace[],
  rule: Rule,
): Promise<HeldFaces> {
  const held = await Promise.all(calls.map((call, index) => open(parts, call, `held ${index + 1}`)));
  const reached = await Promise.all(
    held.map(({ scene, live }) =>
      // Left behind when the call has ended, so it may fail unheard.
      Promise.race([scene.held(1).catch(() => false), live.done.then(() => false)]),
    ),
  );
  if (reached.includes(false)) {
    for (const { live } of held) live.abort();
    const ended = await Promise.all(held.map(({ live }) => live.done));
    must(false, {
      ...rule,
      expected: `${calls.length} calls in flight at once: ${calls.map(({ face }) => face.name).join(', ')}`,
      actual: `${reached.filter((one) => one).length} of them reach the upstream`,
      exchange: ended.find((_, index) => !reached[index]),
    });
  }
  const waiting = [...held];
  const complete = async ({ call, scene, live }: Held): Promise<void> => {
    const [request] = await scene.requests(1);
    await scene.release(request as UpstreamRequest);
    const { face, model, stream } = call;
    readSaid(parts.judge, face, await live.done, { ...rule, model, stream });
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

async function open({ newScene, http }: CheckParts, call: HeldFace, label: string): Promise<Held> {
  const { face, model, stream } = call;
  const scene = newScene();
  await scene.script({ text: 'Held for a while.', gates: [stream ? 'end' : 'head'] });
  const options = { label: `${label}, ${face.name}`, stream };
  return { call, scene, live: face.open(http, model, face.body(scene, { model }), options) };
}

/** Judges that a call is refused by the cap, and reaches no upstream. */
export async function refusedByCap(
  { cases, newScene, http, judge }: CheckParts,
  { face, model, stream }: HeldFace,
  rule: Rule,
): Promise<void> {
  cases.count();
  const scene = newScene();
  const options = { label: `one too many, ${face.name}${stream ? ', stream' : ''}`, stream };
  const exchange = await face.open(http, model, face.body(scene, { model }), options).done;
  judge.refused(exchange, { ...rule, codes: ['concurrency_exceeded'] });
  must((await scene.requestsNow()).length === 0, {
    requirement: 'LIM-003',
    aspect: 'no-upstream-call',
    expected: 'no upstream request for a call above the cap',
    actual: 'one arrived',
    exchange,
  });
}
