import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { Scene } from '../../engine/scene.ts';
import type { UpstreamRequest } from '../../engine/upstream-request.ts';
import { plainAccepted, streamAccepted } from '../../oracle/accepted.ts';
import type { FaultCell, FaultFacts, Verdict } from '../../oracle/faults/fault-facts.ts';
import { rowOfRefusal } from '../../oracle/faults/fault-rows.ts';
import {
  callerOutcomeOf,
  judgeAttempts,
  judgeCallerOutcome,
  judgeNothingRaw,
  judgeServed,
  judgeText,
  type ScriptedAnswer,
  scriptsBrokenArguments,
} from '../../oracle/faults/fault-verdict.ts';
import { asMisfit, must, revising } from '../../rules/violation.ts';
import { type Exchange, excerpt, isSuccess, outcomeOf } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { judgeCharge } from './charge.ts';

/** One call that meets a fault. */
export interface Attempt {
  readonly facts: FaultFacts;
  readonly cell: FaultCell;
  readonly verdict: Verdict;
  readonly model: string;
  /** The key that made it. */
  readonly key: string;
  readonly scene: Scene;
  readonly scripted: ScriptedAnswer;
  readonly live: LiveExchange;
  /** The only channel with the fault; undefined where all channels have it. */
  readonly failing?: string;
}

/** Runs the judgement, and adds to a violation what happened at the upstream. */
export function withUpstream(requests: readonly UpstreamRequest[], judge: () => void): void {
  revising((finding) => {
    const { upstream = requests.map(inWords).join('\n') || 'no request' } = finding;
    return { ...finding, upstream };
  }, judge);
}

/** Judges the caller's view: a success, a refusal or a broken stream, without the upstream's text. */
export function judgeView(
  parts: CheckParts,
  { verdict, cell, scripted, model }: Pick<Attempt, 'verdict' | 'cell' | 'scripted' | 'model'>,
  exchange: Exchange,
  requests: readonly UpstreamRequest[],
): void {
  const { cases, judge } = parts;
  cases.count();
  const bodies = requests.map(({ entry }) => Buffer.from(entry.reply.body_base64, 'base64'));
  const callerOutcome = callerOutcomeOf(exchange, cell.call);
  if (callerOutcome !== 'served') judgeNothingRaw(bodies, scripted, exchange);
  judgeCallerOutcome(callerOutcome, verdict, cell, exchange);
  if (callerOutcome === 'refused') {
    const rule = { requirement: rowOfRefusal(verdict), aspect: 'fault-code' };
    const error = judge.refused(exchange, { ...rule, codes: verdict.codes });
    judgeChannel(parts, error.channel, requests, exchange);
  } else if (callerOutcome === 'broken') {
    const channel = judgeBroken(judge, verdict, cell, scripted, exchange);
    judgeChannel(parts, channel, requests, exchange);
  } else {
    const rule = { requirement: cell.call === 'plain' ? 'RESP-023' : 'SSE-001', aspect: 'fault-survived' };
    const brokenArguments = scriptsBrokenArguments(scripted);
    const expected = { ...rule, model, uncounted: verdict.usage !== 'reported', brokenArguments };
    const served =
      cell.call === 'plain' ? judge.completed(exchange, expected) : judge.streamed(exchange, expected);
    judgeServed(served, scripted, verdict, cell, exchange);
  }
}

/** Judges a finished call on a model with one channel: its answer, and the number of upstream calls. */
export async function judgeAlone(parts: CheckParts, attempt: Attempt): Promise<void> {
  const { verdict, cell, facts, scene } = attempt;
  const exchange = await attempt.live.done;
  const requests = await scene.requestsNow();
  // The script ends with the attempts that are allowed; more of them are counted below.
  for (const request of requests.slice(0, verdict.attempts[1])) assertFaulty(facts, request);
  withUpstream(requests, () => {
    const isLost = requests.length === 0 && verdict.attempts[0] > 0 && !isSuccess(exchange);
    // A call that is refused before it meets the fault shows nothing of it.
    must(!isLost, {
      ...(cell.call === 'plain' ? plainAccepted : streamAccepted),
      expected: 'a legal request reaches the upstream',
      actual: `${outcomeOf(exchange)} ${excerpt(exchange, 240)}`,
      exchange,
    });
    judgeView(parts, attempt, exchange, requests);
    judgeAttempts(requests.length, verdict, cell, exchange);
  });
  await judgeCharge(parts, { ...attempt, requests: requests.length }, exchange);
}

/** Throws a harness error when a simulator did not follow its script: the gateway is not to blame. */
export function assertFaulty({ id }: FaultFacts, { entry }: UpstreamRequest): void {
  const { fault, status } = entry.reply;
  if (fault?.id !== id)
    throw new Error(`the simulators should have sent ${id} but sent ${fault?.id ?? `status ${status}`}`);
  if (fault.misfit !== undefined) throw asMisfit(id, fault.misfit);
}

function inWords({ entry: { channel, reply } }: UpstreamRequest): string {
  const body = Buffer.from(reply.body_base64, 'base64').toString('utf8').slice(0, 300);
  return `${channel}: fault ${reply.fault?.id ?? 'none'}, status ${reply.status}, ${reply.ended}, ${JSON.stringify(body)}`;
}

/** Judges that an error names only a channel that was called. */
function judgeChannel(
  { channels }: CheckParts,
  named: string | null,
  requests: readonly UpstreamRequest[],
  exchange: Exchange,
): void {
  const asked = requests.flatMap(({ entry }) => channels[entry.channel] ?? []);
  must(named === null || asked.length === 0 || asked.includes(named), {
    requirement: 'ROUTE-015',
    aspect: 'fault-channel',
    expected: `channel null or ${[...new Set(asked)].join(' or ')}`,
    actual: String(named),
    exchange,
  });
}

/** Judges a broken stream, and returns the channel that its error event names. */
function judgeBroken(
  judge: Judge,
  verdict: Verdict,
  cell: FaultCell,
  scripted: ScriptedAnswer,
  exchange: Exchange,
): string | null {
  const { content, error } = judge.broken(exchange);
  judgeText(content, scripted.text, verdict.text === 'none' ? 'none' : 'prefix', cell, exchange);
  must(error === null || verdict.codes.some((code) => code === error.code), {
    requirement: 'SSE-016',
    aspect: 'fault-code',
    expected: `an error event with ${verdict.codes.join(' or ')}`,
    actual: `${error?.code}: ${error?.message.slice(0, 160)}`,
    exchange,
  });
  return error?.channel ?? null;
}
