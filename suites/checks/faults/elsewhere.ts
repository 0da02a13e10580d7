import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type FaultCell, type FaultFacts, type Verdict, verdictOf } from '../../oracle/faults/fault-facts.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { must } from '../../rules/violation.ts';
import { adviseSecondAttempt } from '../../steps/failures/judge-hidden.ts';
import { restAll } from '../../steps/failures/served-again.ts';
import { type Exchange, errorCodeOf } from '../../wire/exchange.ts';
import { type Attempt, assertFaulty, judgeView, withUpstream } from './attempt.ts';
import { cellName, cellsWhere, mayCool } from './cells.ts';
import { judgeCharge } from './charge.ts';
import { faultMember, goodReply, requestFor, scriptedReply } from './scripted-answer.ts';
import { passDeadlines } from './waiting.ts';

/** How often to call until the failing channel is asked first. */
const maxTries = 12;

/** A cell, and the two-channel model that runs it. */
interface Arranged {
  readonly cell: FaultCell;
  readonly pair: RouteProfile;
}

/** An attempt whose failing channel is known. */
type OnePair = Attempt & { readonly failing: string };

/** Judges a fault on one of two channels: the other one serves, or is not asked where the request is at fault. */
export async function judgeElsewhere(parts: CheckParts, facts: FaultFacts): Promise<void> {
  const { target, judge } = parts;
  const cells = cellsWhere(
    facts,
    ({ elsewhere, seen }) => elsewhere !== 'either' && !seen.includes('served'),
  );
  if (cells.length === 0) return;
  const pairs = (target.profile.upstream?.routes ?? []).filter(({ kind }) => kind === 'pair');
  if (pairs.length === 0) judge.note('upstream.routes.pair is not declared: no second channel was tried');
  // The gateway calls a failed channel last, so the next cell sets its fault on the channel that served.
  const failing = new Map<string, string>();
  for (const round of roundsOf(cells)) {
    const arranged = round.flatMap((cell): Arranged[] => {
      const pair = pairs.find(({ channels }) => channels.every(({ dialect }) => dialect === cell.dialect));
      return pair === undefined ? [] : [{ cell, pair }];
    });
    await judgeRound(parts, facts, arranged, failing);
    // A channel in its cool-down could not serve in the next round.
    if (round.some((cell) => mayCool(verdictOf(facts, cell)))) await restAll(parts);
  }
}

/** The verdict of a complete successful answer by the other channel. */
export function servedWhole(verdict: Verdict): Pick<Attempt, 'verdict' | 'scripted'> {
  return {
    verdict: {
      ...verdict,
      seen: ['served'],
      codes: [],
      text: 'whole',
      finish: ['stop'],
      usage: 'reported',
      charge: 'reported',
    },
    scripted: goodReply().scripted,
  };
}

/** Each round has at most one cell of each dialect. */
function roundsOf(cells: readonly FaultCell[]): FaultCell[][] {
  const rows = [...Map.groupBy(cells, ({ dialect }) => dialect).values()];
  const longest = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, place) => rows.flatMap((row) => row.slice(place, place + 1)));
}

/** Repeats a round's calls, all at once, until each has met the fault on one channel, and judges them. */
async function judgeRound(
  parts: CheckParts,
  facts: FaultFacts,
  round: readonly Arranged[],
  failing: Map<string, string>,
): Promise<void> {
  let left = round;
  for (let tries = 1; tries <= maxTries && left.length > 0; tries += 1) {
    const attempts = await Promise.all(
      left.map(({ cell, pair }) => {
        const first = failing.get(pair.model) ?? parts.rng.pick(pair.channels).name;
        failing.set(pair.model, first);
        return open(parts, facts, cell, pair.model, first);
      }),
    );
    const deadline = attempts.map(({ verdict }) => verdict.deadline).find((one) => one !== null);
    if (deadline !== undefined) await passDeadlines(parts, attempts, deadline);
    const met = await Promise.all(attempts.map((attempt) => judgeMet(parts, attempt)));
    for (const [place, { pair, cell }] of left.entries()) {
      const other = pair.channels.find(({ name }) => name !== failing.get(pair.model));
      if (met[place] && other !== undefined && verdictOf(facts, cell).elsewhere === 'served')
        failing.set(pair.model, other.name);
    }
    left = left.filter((_, place) => !met[place]);
  }
  for (const { cell, pair } of left)
    parts.judge.note(
      `${cellName(facts, cell)}: the failing channel of ${pair.model} was not tried in ${maxTries} calls`,
    );
}

/** Judges a call; returns false when it went to the healthy channel first, and so shows nothing. */
async function judgeMet(parts: CheckParts, attempt: OnePair): Promise<boolean> {
  const { facts, verdict, failing } = attempt;
  const exchange = await attempt.live.done;
  const requests = await attempt.scene.requestsNow();
  const bad = requests.filter(({ entry }) => entry.channel === failing);
  if (bad.length === 0) return false;
  for (const request of bad) assertFaulty(facts, request);
  const asked = requests.length - bad.length;
  const isServed = verdict.elsewhere === 'served';
  const isLeft = isServed && asked === 0 && mayBeLeft(facts, exchange);
  const whole = isServed && !isLeft ? { ...attempt, ...servedWhole(verdict) } : attempt;
  withUpstream(requests, () => {
    if (isLeft) adviseSecondAttempt(exchange, exchange.label, 'no request at the other channel');
    else judgeOther(verdict, asked, exchange);
    judgeView(parts, whole, exchange, bad);
  });
  await judgeCharge(parts, { ...whole, requests: requests.length }, exchange);
  return true;
}

/** Whether the answer is an upstream error that need not be retried (reading B-106). */
function mayBeLeft({ id }: FaultFacts, exchange: Exchange): boolean {
  return (
    !id.startsWith('T') && exchange.response?.status === 502 && errorCodeOf(exchange) === 'upstream_error'
  );
}

/** Judges whether the other channel was asked exactly where it should be. */
function judgeOther({ elsewhere, seen, codes }: Verdict, asked: number, exchange: Exchange): void {
  const finding = { aspect: 'fault-elsewhere', actual: String(asked), exchange };
  if (elsewhere === 'served') {
    const expected = 'one request at the other channel, which is healthy';
    must(asked === 1, { ...finding, requirement: 'ROUTE-002', expected });
    return;
  }
  const ofRequest = codes[0] === 'content_filter' ? 'ROUTE-013' : 'ROUTE-014';
  const requirement = seen.includes('broken') ? 'SSE-020' : ofRequest;
  const expected = 'no request at the other channel: the channel is not at fault, or the answer has begun';
  must(asked === 0, { ...finding, requirement, expected });
}

async function open(
  { newScene, http, keys }: CheckParts,
  facts: FaultFacts,
  cell: FaultCell,
  model: string,
  failing: string,
): Promise<OnePair> {
  const scene = newScene();
  const { reply, scripted } = scriptedReply(facts);
  await scene.script(goodReply().reply);
  await scene.scriptOn(failing, { ...reply, ...faultMember(facts, cell) });
  const label = `${cellName(facts, cell)}, on one channel of ${model}`;
  const live = http.openChat(requestFor(scene, model, scripted, cell), { label });
  return {
    facts,
    cell,
    verdict: verdictOf(facts, cell),
    model,
    key: keys.K1,
    scene,
    scripted,
    live,
    failing,
  };
}
