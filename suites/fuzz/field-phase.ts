import type { Exchange } from '../wire/exchange.ts';
import type { CaseDeck } from './cases/case-deck.ts';
import type { Coverage } from './cases/coverage.ts';
import type { FuzzCase } from './cases/fuzz-case.ts';
import { shrink } from './cases/shrink.ts';
import type { Caller } from './sending/caller.ts';
import { type Finding, Findings, findingKey } from './verdicts/findings.ts';
import { type JudgeFacts, judgeCase } from './verdicts/judge-case.ts';

/** The most findings that are shrunk; further ones are listed with their requests as drawn. */
const mostShrunk = 25;
/** How often a finding is tried again, alone, before it counts as not repeatable. */
const looks = 2;

export interface FieldPhase {
  readonly deck: CaseDeck;
  readonly caller: Caller;
  readonly facts: JudgeFacts;
  readonly requests: number;
  readonly signal: AbortSignal;
  readonly coverage: Coverage;
  /** Called with each judged answer and the share of requests sent so far. */
  readonly onAnswer: (one: FuzzCase, exchange: Exchange, progress: number) => void;
}

/** The results of the damaged requests of a run. */
export interface FieldOutcome {
  readonly sent: number;
  /** Cells whose damage fits no legal body, and answers that could not be judged because of load. */
  readonly skipped: number;
  readonly unjudged: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly findings: readonly ConfirmedFinding[];
}

export interface ConfirmedFinding extends Finding {
  /** Whether the finding repeated when the request was sent alone. */
  readonly isRepeated: boolean;
  readonly isShrunk: boolean;
}

/** Sends drawn requests until enough are sent or the run is over, then repeats and shrinks each finding. */
export async function fuzzFields(phase: FieldPhase): Promise<FieldOutcome> {
  const { deck, caller, facts, requests, signal, coverage, onAnswer } = phase;
  const findings = new Findings();
  const statuses = new Map<string, number>();
  let [next, sent, skipped, unjudged] = [0, 0, 0, 0];
  const work = async (): Promise<void> => {
    while (sent + unjudged < requests && next < 2 * requests + deck.cells.length && !signal.aborted) {
      const one = deck.draw(next++);
      if (one === null) {
        skipped += 1;
        continue;
      }
      sent += 1;
      const exchange = await caller.send(one.request, labelOf(one));
      if (exchange === null) {
        sent -= 1;
        unjudged += 1;
        continue;
      }
      for (const cell of one.cells) coverage.add(cell);
      const status = String(exchange.response?.status ?? 'none');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      for (const verdict of judgeCase(one, exchange, facts)) findings.add(one, exchange, verdict);
      onAnswer(one, exchange, sent / requests);
    }
  };
  await Promise.all(Array.from({ length: caller.width }, work));
  return {
    ...{ sent, skipped, unjudged },
    statuses: Object.fromEntries([...statuses].toSorted()),
    findings: await confirmed(phase, findings),
  };
}

function labelOf({ index, cells: [{ endpoint, field, kind }] }: FuzzCase): string {
  return `fuzz ${index}: ${endpoint} ${field}, ${kind}`;
}

async function confirmed(phase: FieldPhase, findings: Findings): Promise<ConfirmedFinding[]> {
  const all: ConfirmedFinding[] = [];
  let left = mostShrunk;
  for (const finding of findings.all) {
    if (finding.verdict.level !== 'fail' || left <= 0 || phase.signal.aborted) {
      all.push({
        ...finding,
        isRepeated: finding.verdict.level !== 'fail' || finding.count > 1,
        isShrunk: false,
      });
      continue;
    }
    left -= 1;
    all.push(await lookedAtAgain(phase, finding));
  }
  return all;
}

async function lookedAtAgain(
  { caller, facts, signal }: FieldPhase,
  finding: Finding,
): Promise<ConfirmedFinding> {
  const { key, verdict, example } = finding;
  let last = example.exchange;
  const shows = async (one: FuzzCase): Promise<boolean> => {
    const exchange = await caller.send(one.request, labelOf(one));
    if (exchange === null) return false;
    const found = judgeCase(one, exchange, facts).some((other) => findingKey(one, exchange, other) === key);
    if (found) last = exchange;
    return found;
  };
  let isRepeated = false;
  for (let look = 0; look < looks && !isRepeated && !signal.aborted; look += 1)
    isRepeated = await shows(example.one);
  if (!isRepeated) return { ...finding, isRepeated, isShrunk: false };
  const keepsDamage = /^(?:accepted|private link|param)/.test(verdict.cause);
  const one = await shrink(example.one, shows, { keepsDamage });
  return { ...finding, isRepeated, isShrunk: one !== example.one, example: { one, exchange: last } };
}
