import type { Profile } from '../profile/profile.ts';
import { createWireClient } from '../wire/client.ts';
import { tlsOptionsOf } from '../wire/deployment-connection.ts';
import { type Exchange, errorCodeOf } from '../wire/exchange.ts';
import { CaseDeck } from './cases/case-deck.ts';
import { Coverage } from './cases/coverage.ts';
import { Probe } from './cost/probe.ts';
import { type CostOutcome, searchCosts } from './cost-phase.ts';
import { type FieldOutcome, fuzzFields } from './field-phase.ts';
import type { FuzzLimits } from './fuzz-options.ts';
import { type Served, subjectsOf } from './grammar/subjects-of.ts';
import { factsOf } from './judge-facts.ts';
import { rawCorpus } from './raw/raw-corpus.ts';
import { fuzzRaw, type RawOutcome } from './raw-phase.ts';
import { Caller } from './sending/caller.ts';
import { lanesOf, otherKeyOf } from './sending/lanes.ts';
import type { Spending } from './sending/spending.ts';
import { Findings } from './verdicts/findings.ts';
import { type JudgeFacts, judgeCase } from './verdicts/judge-case.ts';

/** Another caller asks so often while costs are measured, ms between two of his calls. */
const probePauseMs = 2;
/** A body whose cost is measured, bytes: no smaller than this, no larger than the deployment takes, and never above. */
const leastBodyBytes = 16 * 1024;
const mostBodyBytes = 1024 * 1024;

export interface FuzzRun {
  readonly profile: Profile;
  readonly served: Served;
  readonly limits: FuzzLimits;
  readonly spending: Spending;
  readonly mayPay: boolean;
  readonly signal: AbortSignal;
  readonly say: (text: string) => void;
}

/** What the parts of a run found; null for parts that were not asked for, or not come to. */
export interface FuzzOutcome {
  readonly deck: CaseDeck;
  readonly coverage: Coverage;
  readonly fields: FieldOutcome | null;
  readonly raw: RawOutcome | null;
  readonly costs: CostOutcome | null;
  /** What was wrong with the answers to the bodies of the search for costs. */
  readonly costFindings: Findings;
  readonly waited: number;
}

/** What a run is going to send. */
export function deckOf({
  profile,
  served,
  limits,
  mayPay,
}: Pick<FuzzRun, 'profile' | 'served' | 'limits' | 'mayPay'>): CaseDeck {
  const { seed, only } = limits;
  return new CaseDeck(subjectsOf(profile, served), { seed, mayPay, only });
}

/** Sends bytes, then bodies for their cost, then damaged requests: the short parts first. */
export async function runFuzz(run: FuzzRun): Promise<FuzzOutcome> {
  const { profile, limits, spending, signal, say } = run;
  const client = createWireClient(profile);
  const deck = deckOf(run);
  const coverage = new Coverage(deck.cells);
  const lanes = lanesOf(profile);
  const facts = factsOf(profile);
  const caller = new Caller({
    ...{ client, lanes, signal, timeoutMs: facts.timeoutMs },
    spend: () => spending.spend(),
    pay: (generation) => spending.pay(generation),
  });
  const costFindings = new Findings();
  const has = (part: FuzzLimits['parts'][number]): boolean =>
    limits.parts.includes(part) && !signal.aborted && spending.over === null;
  try {
    const key = lanes[0]?.key ?? profile.keys.K1;
    if (has('raw')) say(`${rawCorpus.length} sequences of raw bytes …`);
    const raw = has('raw')
      ? await fuzzRaw({
          ...{ corpus: rawCorpus, profile, key, client, signal, width: Math.min(2, lanes[0]?.width ?? 1) },
          spend: () => spending.spend(),
        })
      : null;
    if (has('costs') && limits.bodies > 0) say(`${limits.bodies} bodies for their cost …`);
    const costs =
      has('costs') && limits.bodies > 0 ? await costsOf(run, { caller, facts, costFindings }) : null;
    if (has('fields') && limits.requests > 0) say(`${limits.requests} damaged requests …`);
    const fields =
      has('fields') && limits.requests > 0
        ? await fuzzFields({
            ...{ deck, caller, facts, signal, coverage, requests: limits.requests },
            onAnswer: (_, exchange) => noteExhaustion(spending, exchange),
          })
        : null;
    return { deck, coverage, fields, raw, costs, costFindings, waited: caller.waited };
  } finally {
    await client.close();
  }
}

async function costsOf(
  run: FuzzRun,
  { caller, facts, costFindings }: { caller: Caller; facts: JudgeFacts; costFindings: Findings },
): Promise<CostOutcome> {
  const { profile, served, limits, mayPay, signal, spending } = run;
  const subjects = subjectsOf(profile, served).filter(({ least }) => least !== null);
  const key = otherKeyOf(profile);
  const probe = new Probe({
    url: `${profile.base_url.replace(/\/+$/, '')}/api/v1/models`,
    // Without somebody else's key the call is refused at once, and takes no slot of the key under test.
    headers: { ...profile.http.headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
    tls: tlsOptionsOf(profile),
    pauseMs: probePauseMs,
  });
  try {
    return await searchCosts({
      bounds: {
        ...{ subjects, leastBytes: leastBodyBytes, mustBeRefused: !mayPay },
        mostBytes: Math.min(profile.http.body_bytes ?? mostBodyBytes, mostBodyBytes),
      },
      ...{ seed: limits.seed, bodies: limits.bodies, stallMs: limits.stallMs, signal },
      send: (draft, label) => caller.send(draft, label),
      take: () => probe.take(),
      onAnswer: ({ subject: at, parts }, draft, exchange) => {
        noteExhaustion(spending, exchange);
        const subject = subjects[at];
        const [field] = parts;
        if (subject === undefined || field === undefined) return;
        const cell = { endpoint: subject.endpoint, field: field.field, kind: 'worst cost' };
        const one = {
          ...{ index: -1, subject, cells: [cell] as const, tree: null, request: draft, stream: false },
          ...{ certainty: mayPay ? ('open' as const) : ('refuse' as const), sound: null, places: [] },
          ...{ isNamed: false, isPrivateLink: false, isLeast: false },
        };
        for (const verdict of judgeCase(one, exchange, facts)) costFindings.add(one, exchange, verdict);
      },
    });
  } finally {
    await probe.end();
  }
}

function noteExhaustion(spending: Spending, exchange: Exchange): void {
  if (exchange.response?.status === 429 && errorCodeOf(exchange) === 'quota_exceeded')
    spending.exhausted('quota_exceeded');
}
