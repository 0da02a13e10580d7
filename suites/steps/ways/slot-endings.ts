import { type Check, defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { hasText } from '../../oracle/text-so-far.ts';
import { must } from '../../rules/violation.ts';
import { type Exchange, errorCodeOf, outcomeOf } from '../../wire/exchange.ts';
import { patiently } from '../failures/pass-timeouts.ts';
import { callsFrom, holdWays } from './held-ways.ts';
import { isHeld } from './hold-all.ts';
import { failuresAtMost, refusalsAtMost, refusalsOf, scriptFailure } from './refusals-of.ts';
import { chatWay, type Rule, type WayIn, wayLabel } from './way-in.ts';
import { keepWayClosed } from './ways-of.ts';

/** One way for a call to end, on any endpoint. */
export interface Ending {
  readonly name: string;
  readonly title: string;
  readonly stream: boolean;
  /** Whether it needs a call that the upstream holds, or that fails with it. */
  readonly lasting: boolean;
  /** How often it has to be tried until each of its kinds was. */
  readonly kinds?: number;
  readonly end: (parts: CheckParts, way: WayIn, rule: Rule, round: number) => Promise<void>;
}

/** A refused call leaves no slot taken, whatever refuses it. */
export const everyRefusalFrees: Rule = { requirement: 'LIM-004', aspect: 'freed-after-every-refusal' };

/** How long the first text of a stream may take to the client on a busy machine, ms. */
const arrivalMs = 15_000;

const isAbort = ({ name }: Ending): boolean => name.startsWith('abort');

/** The ways to end that are tried on every endpoint. */
const endings: readonly Ending[] = [
  { name: 'success', title: 'a plain answer', stream: false, lasting: false, end: complete },
  { name: 'stream-end', title: 'a complete stream', stream: true, lasting: true, end: complete },
  {
    ...{ name: 'refusal', title: 'a refused request', stream: false, lasting: false },
    // Each plain and streamed: a refused stream may leave at another place than any that begins.
    kinds: 2 * refusalsAtMost,
    end: async (parts, way, rule, round) => {
      const isStreamed = way.protocol !== null && round >= refusalsAtMost;
      const all = refusalsOf(parts, isStreamed ? chatWay(way.protocol, way.model, true) : way);
      const exchange = await all[round % all.length]?.send().done;
      mustHoldNothing(exchange, rule);
    },
  },
  {
    ...{ name: 'upstream-failure', title: 'an upstream failure', stream: false, lasting: true },
    kinds: failuresAtMost,
    end: async (parts, way, rule, round) => {
      await keepWayClosed(parts, way);
      const scene = parts.newScene();
      await scriptFailure(scene, way, round);
      const exchange = await way.open(parts, way.body(scene), { label: `${way.name}, a failing upstream` })
        .done;
      mustHoldNothing(exchange, rule);
    },
  },
  {
    ...{ name: 'abort-waiting', title: 'a client abort before the upstream answers' },
    ...{ stream: false, lasting: true, end: leave },
  },
  {
    ...{ name: 'abort-streaming', title: 'a client abort before a stream begins, or in the middle of it' },
    ...{ stream: true, lasting: true, kinds: 2, end: leave },
  },
];

/** A stream that its upstream ends too early. */
function broken(name: string, by: 'fin' | 'rst'): Ending {
  return {
    ...{ name, title: 'a stream that the upstream cuts off', stream: true, lasting: true },
    end: async (parts, way, rule) => {
      await keepWayClosed(parts, way);
      const scene = parts.newScene();
      await scene.script({ deltas: ['one ', 'two ', 'three'], cut: { after: 2, by } });
      const exchange = await way.open(parts, way.body(scene), { label: `${way.name}, a stream that breaks` })
        .done;
      // Another check judges how the failure is reported.
      must(exchange.response !== null && exchange.response.status !== 429, {
        ...{ ...rule, exchange },
        expected: 'a stream that begins',
        actual: `HTTP ${exchange.response?.status ?? 'none'}`,
      });
    },
  };
}

/** The settings for one check for each way to end. */
export interface FreedSlots {
  readonly id: string;
  readonly title: (ending: Ending) => string;
  readonly requirements: readonly [string, ...string[]];
  readonly anyProtocol?: true;
  /** The name of the ending of a stream that is cut, and how. */
  readonly cut: readonly [name: string, by: 'fin' | 'rst'];
  readonly run: (parts: CheckParts, ending: Ending) => Promise<void>;
}

export function freedChecks({ id, title, requirements, anyProtocol, cut, run }: FreedSlots): Check[] {
  return [...endings, broken(...cut)].map((ending) =>
    defineCheck({
      id: `${id}-${ending.name}`,
      ...{ title: title(ending), requirements, kind: 'concurrency', needs: ['upstream.control'] },
      ...(anyProtocol && { anyProtocol }),
      run: (parts) => run(parts, ending),
    }),
  );
}

/**
 * Ends calls of these endpoints in this way, in turn. Then judges that the whole cap is free for calls of the other
 * endpoints.
 */
export async function judgeFreed(
  parts: CheckParts,
  ending: Ending,
  {
    requirement,
    ways,
    rounds,
    held,
  }: { requirement: string; ways: readonly WayIn[]; rounds: number; held: readonly WayIn[] },
): Promise<void> {
  const rule = { requirement, aspect: `freed-after-${ending.name}` };
  for (const [round, { way }] of callsFrom(ways, 0, Math.max(rounds, ending.kinds ?? 0)).entries()) {
    parts.cases.count();
    // The slot of an aborted call may be freed late, which the next round meets only at the cap.
    const end = (): Promise<void> => ending.end(parts, way, rule, round);
    await (isAbort(ending) ? patiently(parts, end) : end());
  }
  const cap = parts.target.profile.cap.value;
  await patiently(parts, () =>
    holdWays(parts, callsFrom(held, 0, cap), rule).then((calls) => calls.finish()),
  );
}

/** Other checks judge the answer: here it only must not be about calls that have ended. */
export function mustHoldNothing(exchange: Exchange | undefined, rule: Rule): void {
  if (exchange === undefined) return;
  must(errorCodeOf(exchange) !== 'concurrency_exceeded', {
    ...{ ...rule, exchange },
    expected: 'an answer to this call: none other is in flight',
    actual: outcomeOf(exchange),
  });
}

async function complete(parts: CheckParts, way: WayIn, rule: Rule): Promise<void> {
  const exchange = await way.open(parts, way.body(parts.newScene()), { label: `${wayLabel(way)}, served` })
    .done;
  way.judgeServed(parts, exchange, rule);
}

/** Disconnects a client once its call is held upstream. Every second stream is left before it begins. */
async function leave(parts: CheckParts, way: WayIn, rule: Rule, round: number): Promise<void> {
  const scene = parts.newScene();
  const said = way.protocol === null ? {} : { text: 'one two', deltas: ['one ', 'two'] };
  const hasBegun = way.stream && round % 2 === 0;
  await scene.script({ ...said, gates: [hasBegun ? 1 : 'head'] });
  const live = way.open(parts, way.body(scene), { label: `${wayLabel(way)}, a client that disconnects` });
  const begun =
    (await isHeld({ scene, live })) && (!hasBegun || (await live.until((body) => hasText(body), arrivalMs)));
  live.abort();
  const exchange = await live.done;
  const expected = 'a call that is held at the upstream';
  must(begun, { ...rule, expected, actual: 'it is answered or never arrives', exchange });
  // A gateway may read the upstream to its end first: only the slot is judged.
  await scene.closedWithClient();
}
