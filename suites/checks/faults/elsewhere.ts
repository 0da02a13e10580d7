import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type FaultCell, type FaultFacts, type Verdict, verdictOf } from '../../oracle/faults/fault-facts.ts';
import type { RouteProfile } from '../../profile/profile.ts';
import { must } from '../../rules/violation.ts';
import { restMs } from '../../steps/failures/served-again.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { type Attempt, assertFaulty, judgeView, withUpstream } from './attempt.ts';
import { cellName, cellsWhere, mayCool } from './cells.ts';
import { judgeCharge } from './charge.ts';
import { faultMember, goodReply, requestFor, scriptedReply } from './scripted-answer.ts';
import { passDeadlines } from './waiting.ts';

/** How often a call is made until the failing channel is the one that it goes to first. */
const maxTries = 12;

/** A cell, and the model with two channels that it is tried on. */
interface Arranged {
  readonly cell: FaultCell;
  readonly pair: RouteProfile;
}

/** An attempt of which the channel that fails is known. */
type OnePair = Attempt & { readonly failing: string };

/**
 * Judges a fault on one of two channels of a model. The other channel serves the whole answer, or is not called
 * where the failure is not the channel's. Without such models this part is skipped, which is noted.
 */
export async function judgeElsewhere(parts: CheckParts, facts: FaultFacts): Promise<void> {
  const { target, judge, clock } = parts;
  const cells = cellsWhere(
    facts,
    ({ elsewhere, seen }) => elsewhere !== 'either' && !seen.includes('served'),
  );
  if (cells.length === 0) return;
  const pairs = (target.profile.upstream?.routes ?? []).filter(({ kind }) => kind === 'pair');
  if (pairs.length === 0) judge.note('upstream.routes.pair is not declared: no second channel was tried');
  // What has failed is used last, so that the next cell arms the channel that served.
  const failing = new Map<string, string>();
  for (const round of roundsOf(cells)) {
    const arranged = round.flatMap((cell): Arranged[] => {
      const pair = pairs.find(({ channels }) => channels.every(({ dialect }) => dialect === cell.dialect));
      return pair === undefined ? [] : [{ cell, pair }];
    });
    await judgeRound(parts, facts, arranged, failing);
    // A channel that rests could not stand in for the other one in the next round.
    if (round.some((cell) => mayCool(verdictOf(facts, cell)))) await clock.elapse(restMs(target));
  }
}

/** Each round has one cell of each dialect. */
function roundsOf(cells: readonly FaultCell[]): FaultCell[][] {
  const rows = [...Map.groupBy(cells, ({ dialect }) => dialect).values()];
  const longest = Math.max(...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, place) => rows.flatMap((row) => row.slice(place, place + 1)));
}

/** Repeats the calls of a round, all at once, until each has met the fault on one channel, and judges what became of it. */
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

/** Judges a call, unless it went to the healthy channel at once: then it says nothing, and the answer is false. */
async function judgeMet(parts: CheckParts, attempt: OnePair): Promise<boolean> {
  const { facts, verdict, failing } = attempt;
  const exchange = await attempt.live.done;
  const requests = await attempt.scene.requestsNow();
  const bad = requests.filter(({ entry }) => entry.channel === failing);
  if (bad.length === 0) return false;
  for (const request of bad) assertFaulty(facts, request);
  const whole = verdict.elsewhere === 'served' ? { ...attempt, ...servedWhole(verdict) } : attempt;
  withUpstream(requests, () => {
    judgeOther(verdict, requests.length - bad.length, exchange);
    judgeView(parts, whole, exchange, bad);
  });
  await judgeCharge(parts, { ...whole, requests: requests.length }, exchange);
  return true;
}

/** The whole good answer of the other channel. */
function servedWhole(verdict: Verdict): Pick<Attempt, 'verdict' | 'scripted'> {
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

/** Whether the other channel was asked, where it should be, and only there. */
function judgeOther({ elsewhere, seen, codes }: Verdict, asked: number, exchange: Exchange): void {
  if (elsewhere === 'served') {
    must(asked === 1, {
      requirement: 'ROUTE-002',
      aspect: 'fault-elsewhere',
      expected: 'one request at the other channel, which is healthy',
      actual: String(asked),
      exchange,
    });
    return;
  }
  must(asked === 0, {
    requirement: seen.includes('broken')
      ? 'SSE-020'
      : codes[0] === 'content_filter'
        ? 'ROUTE-013'
        : 'ROUTE-014',
    aspect: 'fault-elsewhere',
    expected: 'no request at the other channel: what failed is not the channel, or has reached the caller',
    actual: String(asked),
    exchange,
  });
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
