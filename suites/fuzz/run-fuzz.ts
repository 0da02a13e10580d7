import { setTimeout as wait } from 'node:timers/promises';
import type { Profile } from '../profile/profile.ts';
import { createWireClient } from '../wire/client.ts';
import { tlsOptionsOf } from '../wire/deployment-connection.ts';
import { type Exchange, errorCodeOf } from '../wire/exchange.ts';
import { carriedRequest } from '../wire/words.ts';
import { CaseDeck } from './cases/case-deck.ts';
import { Coverage } from './cases/coverage.ts';
import { Probe, type ProbeSample } from './cost/probe.ts';
import { type CostOutcome, searchCosts } from './cost-phase.ts';
import { type FieldOutcome, type FieldPhase, fuzzFields } from './field-phase.ts';
import type { FuzzLimits, FuzzPart } from './fuzz-options.ts';
import { type Served, subjectsOf } from './grammar/subjects-of.ts';
import { contentSequences } from './raw/content-sequences.ts';
import { framingSequences } from './raw/framing-sequences.ts';
import { headSequences } from './raw/head-sequences.ts';
import type { RawSequence } from './raw/raw-sequence.ts';
import { fuzzRaw, type RawOutcome } from './raw-phase.ts';
import { Caller } from './sending/caller.ts';
import type { Spending } from './sending/spending.ts';
import { otherKeyOf, usersOf } from './sending/users.ts';
import { Findings } from './verdicts/findings.ts';
import { factsOf, type JudgeFacts, judgeCase } from './verdicts/judge-case.ts';

/** Bytes that no HTTP client sends, each with what may come back. */
const rawCorpus: readonly RawSequence[] = [...headSequences, ...framingSequences, ...contentSequences];

/** The pause between two calls of the other caller, ms: while costs are measured, and while damaged requests are sent. */
const probePauseMs = 2;
const easyPauseMs = 50;
/** The smallest and largest body whose cost is measured, bytes; a declared limit of the deployment lowers the largest. */
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
  /** Called with the share of a part that has been sent. */
  readonly onProgress?: (part: FuzzPart, progress: number) => void;
}

/** The results of the parts of a run; null for parts that were not requested or not reached. */
export interface FuzzOutcome {
  readonly deck: CaseDeck;
  readonly coverage: Coverage;
  readonly fields: FieldOutcome | null;
  readonly raw: RawOutcome | null;
  readonly costs: CostOutcome | null;
  /** Findings in the answers to the cost search's bodies. */
  readonly costFindings: Findings;
  /** The bystander's waits while damaged requests were sent; null when none were sent. */
  readonly beside: readonly ProbeSample[] | null;
  readonly waited: number;
}

/** The cases that a run is going to send. */
export function deckOf({
  profile,
  served,
  limits,
  mayPay,
}: Pick<FuzzRun, 'profile' | 'served' | 'limits' | 'mayPay'>): CaseDeck {
  const { seed, only } = limits;
  return new CaseDeck(subjectsOf(profile, served), { seed, mayPay, only });
}

/** Sends raw bytes, then the cost search, then damaged requests: the short parts first. */
export async function runFuzz(run: FuzzRun): Promise<FuzzOutcome> {
  const { profile, limits, spending, signal, say } = run;
  const client = createWireClient(profile);
  const deck = deckOf(run);
  const coverage = new Coverage(deck.cells);
  const users = usersOf(profile);
  const facts = factsOf(profile);
  const caller = new Caller({
    ...{ client, users, signal, timeoutMs: facts.timeoutMs },
    spend: () => spending.spend(),
    pay: (generation) => spending.pay(generation),
  });
  const costFindings = new Findings();
  const has = (part: FuzzLimits['parts'][number]): boolean =>
    limits.parts.includes(part) && !signal.aborted && spending.over === null;
  try {
    const key = users[0]?.key ?? profile.keys.K1;
    const corpus = rawCorpus.filter(
      ({ name }) => limits.only.length === 0 || limits.only.some((word) => name.includes(word)),
    );
    if (has('raw')) say(`${corpus.length} sequences of raw bytes …`);
    const raw = has('raw')
      ? await fuzzRaw({
          ...{ corpus, profile, key, client, signal, width: Math.min(2, users[0]?.width ?? 1) },
          spend: () => spending.spend(),
        })
      : null;
    if (has('costs') && limits.bodies > 0) say(`${limits.bodies} bodies for their cost …`);
    const costs =
      has('costs') && limits.bodies > 0 ? await costsOf(run, { caller, facts, costFindings }) : null;
    if (has('fields') && limits.requests > 0) say(`${limits.requests} damaged requests …`);
    const { fields, beside } =
      has('fields') && limits.requests > 0
        ? await fieldsOf(run, { deck, caller, facts, coverage })
        : { fields: null, beside: null };
    return { deck, coverage, fields, raw, costs, costFindings, beside, waited: caller.waited };
  } finally {
    await client.close();
  }
}

/** Sends damaged requests, while a bystander makes small calls. */
async function fieldsOf(
  { profile, limits, spending, signal, onProgress }: FuzzRun,
  parts: Pick<FieldPhase, 'deck' | 'caller' | 'facts' | 'coverage'>,
): Promise<{ fields: FieldOutcome; beside: readonly ProbeSample[] }> {
  const probe = probeOf(profile, easyPauseMs);
  try {
    const fields = await fuzzFields({
      ...{ ...parts, signal, requests: limits.requests },
      onAnswer: (_, exchange, progress) => {
        onProgress?.('fields', progress);
        noteExhaustion(spending, exchange);
      },
    });
    return { fields, beside: await probe.take() };
  } finally {
    await probe.end();
  }
}

function probeOf(profile: Profile, pauseMs: number): Probe {
  const key = otherKeyOf(profile);
  // Without another user's key the call is refused at once, so it takes no slot of the key under test.
  const headers = { ...profile.http.headers, ...(key === null ? {} : { authorization: `Bearer ${key}` }) };
  const { url, headers: carried } = carriedRequest(profile, {
    method: 'GET',
    url: `${profile.base_url.replace(/\/+$/, '')}/api/v1/models`,
    ...{ headers: Object.entries(headers), body: Buffer.alloc(0) },
  });
  return new Probe({
    ...{ url, headers: Object.fromEntries(carried) },
    tls: tlsOptionsOf(profile),
    pauseMs,
  });
}

async function costsOf(
  run: FuzzRun,
  { caller, facts, costFindings }: { caller: Caller; facts: JudgeFacts; costFindings: Findings },
): Promise<CostOutcome> {
  const { profile, served, limits, mayPay, signal, spending } = run;
  const subjects = subjectsOf(profile, served).filter(({ least }) => least !== null);
  const probe = probeOf(profile, probePauseMs);
  try {
    return await searchCosts({
      onProgress: (progress) => run.onProgress?.('costs', progress),
      bounds: {
        ...{ subjects, leastBytes: leastBodyBytes, mustBeRefused: !mayPay },
        mostBytes: Math.min(profile.http.body_bytes ?? mostBodyBytes, mostBodyBytes),
      },
      ...{ seed: limits.seed, bodies: limits.bodies, stallMs: limits.stallMs, signal },
      // A pause ends when the run is over.
      sleep: (ms) => wait(ms, undefined, { signal }).catch(() => undefined),
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
