import type { AnswerKind } from '../../answers/native-answer.ts';
import type { FaultFacts } from '../../control/fault-facts.ts';
import type { ClientRig } from './client-rig.ts';
import type { Bench } from './harness.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** The steps in order: a number of parallel calls on a channel, a jump of the clock, or the next phase. */
type Act =
  | { readonly call: string; readonly at_once?: number }
  | { readonly advance_ms: number }
  | { readonly step: true };

const call: Act = { call: 'alpha' };
const fourCalls: readonly Act[] = [call, call, call, call];

/** For each outage of the catalogue, steps that cover all of its behaviour. */
const walks: Readonly<Record<string, readonly Act[]>> = {
  B1: [call, { advance_ms: 65_000 }, ...fourCalls, ...fourCalls, { advance_ms: 30_000 }, call],
  B2: [...fourCalls, ...fourCalls],
  B3: [{ call: 'upstream-1' }, { call: 'upstream-2' }],
  B4: [{ call: 'eu-beta' }, { call: 'eu-alpha' }],
  B5: [call, call, { step: true }, call],
  B6: [
    call,
    { step: true },
    { call: 'alpha', at_once: 3 },
    { advance_ms: 5000 },
    call,
    { step: true },
    ...fourCalls,
  ],
  B7: [call, call, { advance_ms: 20_000 }, call],
};

/** The outages of the rig's dialect. */
export function outagesOf(rig: ClientRig, faults: Iterable<FaultFacts>): FaultFacts[] {
  return [...faults].filter(
    ({ dialects, scenario }) => dialects.includes(rig.dialect) && scenario !== undefined,
  );
}

/** Walks a client through the outage and returns how its calls ended. The bench needs a clock that can be moved. */
export async function meetOutage(
  bench: Bench,
  rig: ClientRig,
  { id, scenario }: FaultFacts,
  kind: AnswerKind,
): Promise<string> {
  const walk = walks[id];
  if (walk === undefined || scenario === undefined) throw new Error(`nothing is known of an outage ${id}`);
  const scope = `${id}-${kind}`;
  const tenant = bench.control.tenant(scope);
  await tenant.script({ replies: [{ deltas: ['Ebb ', 'and flow.'] }] });
  await tenant.play({ file: scenario });
  const ended: string[] = [];
  for (const act of walk) {
    if ('advance_ms' in act) await bench.control.advance(act.advance_ms);
    else if ('step' in act) await tenant.step();
    else ended.push(...(await callAtOnce(bench, rig, kind, scope, act)));
  }
  await tenant.reset();
  return inRuns(ended);
}

async function callAtOnce(
  bench: Bench,
  rig: ClientRig,
  kind: AnswerKind,
  scope: string,
  { call: channel, at_once = 1 }: { readonly call: string; readonly at_once?: number },
): Promise<string[]> {
  const origin = bench.origin(scope, channel);
  const calls = Array.from({ length: at_once }, () => outcomeOf(rig, kind, origin, 'Ebb and flow.'));
  // Their order does not matter.
  return (await Promise.all(calls)).map(inWords).toSorted();
}

function inWords({ ends, error, status, text }: Outcome): string {
  if (ends === 'answer' && text === '<whole>') return 'answer';
  return [ends === 'error' ? null : ends, error, status, text]
    .filter((part) => part !== null && part !== undefined)
    .join(' ');
}

/** `answer ×3, ApiError 500` */
function inRuns(words: readonly string[]): string {
  const runs: { word: string; times: number }[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last?.word === word) last.times += 1;
    else runs.push({ word, times: 1 });
  }
  return runs.map(({ word, times }) => (times === 1 ? word : `${word} ×${times}`)).join(', ');
}
