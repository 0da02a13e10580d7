import type { JournalEntry, SimulatorControl } from 'gatecheck-simulators/client';
import type { CheckRecord } from '../../engine/parts/check-record.ts';
import type { TracedExchange } from '../../engine/parts/exchange-trace.ts';
import type { Webhooks } from '../../engine/parts/webhooks.ts';
import type { BreakerRules } from '../../oracle/breaker.ts';
import type { ReceivedRequest } from '../../receiver/protocol.ts';
import type { Finding } from '../../rules/violation.ts';
import { tiesOf } from './ties-of.ts';

/** What happened during a check, from its three sources. */
export interface Surroundings {
  /** When the check began, Unix ms by our clock. */
  readonly beganAt: number;
  /** Converts our time to the check's scale: ms since the check began, by the deployment's clock. */
  readonly timeOf: (realMs: number, edge?: 'start') => number;
  /** Converts a time of the simulators' clock to the check's scale. */
  readonly simulatorTimeOf: (ms: number) => number;
  readonly client: readonly TracedExchange[];
  /** The upstream's requests without bodies, or the reason why there are none. */
  readonly upstream: readonly JournalEntry[] | string;
  /** By marker: the requests that contain it, with the beginning of their bodies. */
  readonly marked: ReadonlyMap<string, ReadonlyMap<string, JournalEntry>>;
  /** The requests in the check's inboxes, or the reason why there are none. */
  readonly receiver: readonly ReceivedRequest[] | string;
  /** The circuit breaker's rules, if the check is about time. */
  readonly breakers: BreakerRules | null;
}

/** The sources of evidence once a check is over. */
export interface Witnesses {
  readonly beganAt: number;
  readonly record: CheckRecord;
  readonly clock: { timeAt(realMs: number): { readonly min: number; readonly max: number } };
  readonly simulators: SimulatorControl | null;
  readonly tenants: readonly { readonly name: string; readonly webhooks: Webhooks }[];
  readonly breakers: BreakerRules | null;
  readonly signal: AbortSignal;
}

/** The most bytes of an upstream request's body that are kept. */
const bytesOfUpstream = 700;
/** The most scenes whose upstream requests are fetched with bodies. */
const maxMarks = 8;

/** Collects the evidence before the sources drop it. */
export async function lookAround(from: Witnesses, findings: readonly Finding[]): Promise<Surroundings> {
  const { beganAt, clock, record, breakers } = from;
  const zero = clock.timeAt(beganAt).min;
  // A request during a clock move starts before the move and ends after it. Times are whole: a request sent in the
  // millisecond in which a move ended came after the move.
  const timeOf = (realMs: number, edge?: 'start'): number =>
    edge === 'start' ? clock.timeAt(realMs + 1).min - 1 - zero : clock.timeAt(realMs).max - zero;
  const [upstream, receiver] = await Promise.all([
    askUpstream(from, marksOf(findings, record)),
    askReceiver(from).catch((error: Error) => `cannot read the receiver of events: ${error.message}`),
  ]);
  return {
    ...{ beganAt, timeOf, client: record.trace.all, receiver, breakers },
    upstream: upstream.entries,
    marked: upstream.marked,
    simulatorTimeOf: (ms) => ms - upstream.aheadMs - zero,
  };
}

interface UpstreamRecord {
  readonly entries: Surroundings['upstream'];
  readonly marked: Surroundings['marked'];
  /** How far the simulators' clock is ahead of the deployment's, ms. */
  readonly aheadMs: number;
}

async function askUpstream(from: Witnesses, marks: readonly string[]): Promise<UpstreamRecord> {
  const none = (why: string): UpstreamRecord => ({ entries: why, marked: new Map(), aheadMs: 0 });
  const { simulators, clock, tenants, signal } = from;
  if (simulators === null) return none('the profile names no simulated upstreams (upstream.control)');
  try {
    const askedAt = Date.now();
    const { now_ms: now } = await simulators.clock({ signal });
    const journals = tenants.map(({ name }) => simulators.tenant(name));
    const all = await Promise.all(journals.map((one) => one.journal({ body_bytes: 0 }, { signal })));
    const marked = new Map<string, ReadonlyMap<string, JournalEntry>>();
    for (const marker of marks) {
      const query = { marker, body_bytes: bytesOfUpstream };
      const found = await Promise.all(journals.map((one) => one.journal(query, { signal })));
      const entries = found.flatMap(({ entries: some }) => some);
      marked.set(marker, new Map(entries.map((entry) => [nameOf(entry), entry])));
    }
    const entries = all.flatMap(({ entries: some }) => some);
    return { entries, marked, aheadMs: now - clock.timeAt((askedAt + Date.now()) / 2).max };
  } catch (error) {
    return none(`cannot read the simulators: ${(error as Error).message}`);
  }
}

async function askReceiver({ tenants, signal }: Witnesses): Promise<Surroundings['receiver']> {
  if (!tenants.some(({ webhooks }) => webhooks.isThere))
    return 'there is no receiver of events (webhooks.receiver)';
  return (await Promise.all(tenants.map(({ webhooks }) => webhooks.everything(signal)))).flat();
}

/** An entry by its tenant and number. */
export function nameOf({ tenant, n }: Pick<JournalEntry, 'tenant' | 'n'>): string {
  return `${tenant} ${n}`;
}

/** The markers of the scenes that the failures are about. */
function marksOf(findings: readonly Finding[], { trace }: CheckRecord): string[] {
  const ties = findings.flatMap((finding) => [...tiesOf(finding, trace.all)]);
  return [...new Set(ties)].filter((tie) => /^gc[0-9a-f]{12}$/.test(tie)).slice(0, maxMarks);
}
