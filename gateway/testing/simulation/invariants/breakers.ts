import type { UpstreamCall } from '../world/calls.ts';
import type { BreakerLine } from '../world/gateway.ts';
import { chatHosts } from '../world/scenario.ts';
import { type Invariant, must, type View } from '../world/view.ts';

type State = 'closed' | 'open' | 'half-open';

/** What an observer knows of a breaker: its changes from the log, its calls from the upstream. */
interface Watched {
  state: State;
  openUntilMs: number;
  openings: number;
  failuresInARow: number;
  /** Calls that were answered or failed since the last change of state. */
  outcomes: { readonly atMs: number; readonly isFailure: boolean }[];
  /** Calls that began since the last change of state. */
  current: Set<UpstreamCall>;
  /** How the last call ended. */
  last: UpstreamCall | null;
}

const allowed: Readonly<Record<State, readonly string[]>> = {
  closed: ['open'],
  open: ['half-open'],
  'half-open': ['closed', 'open'],
};

/**
 * The breakers as the text has them: closed until enough failures in a row, open for the cool-down, half-open with one
 * probe at a time.
 */
export function breakers(): Invariant {
  const all = new Map<string, Watched>();
  const of = (process: string, host: string): Watched => {
    const key = `${process} ${host}`;
    const known = all.get(key) ?? fresh();
    all.set(key, known);
    return known;
  };
  return {
    name: 'breakers',
    breaker: (process, line, view) => {
      if (chatHosts.includes(line.channel)) change(of(process, line.channel), line, view);
    },
    began: (call, { nowMs }) => {
      if (!call.isChat) return;
      const watched = of(call.process, call.host);
      const name = `the breaker of ${call.host}`;
      must(
        watched.state !== 'open',
        () => `${name} lets a call through ${watched.openUntilMs - nowMs} ms too early`,
      );
      const probes = [...watched.current].filter(({ end }) => end === null).length;
      must(watched.state !== 'half-open' || probes === 0, () => `${name} lets ${probes + 1} probes through`);
      watched.current.add(call);
    },
    ended: (call, { nowMs, scenario }) => {
      const watched = of(call.process, call.host);
      if (!call.isChat || !watched.current.has(call)) return;
      watched.last = call;
      if (call.end === 'answered' || call.end === 'failed')
        watched.outcomes.push({ atMs: nowMs, isFailure: call.end === 'failed' });
      if (call.end === 'answered') watched.failuresInARow = 0;
      if (call.end === 'failed') watched.failuresInARow += 1;
      const max = scenario.config.breaker.consecutive_failures;
      must(
        watched.failuresInARow <= max,
        () => `the breaker of ${call.host} stays closed after more than ${max} failures`,
      );
    },
  };
}

function fresh(): Watched {
  return {
    state: 'closed',
    openUntilMs: 0,
    openings: 0,
    failuresInARow: 0,
    outcomes: [],
    current: new Set(),
    last: null,
  };
}

/** Whether so many of the last calls failed that a breaker opens, although not one after the other. */
function failsOften({ outcomes }: Watched, { nowMs, scenario }: View): boolean {
  const {
    window_ms: lastsMs,
    window_least: least,
    window_failure_percent: percent,
  } = scenario.config.breaker;
  const recent = outcomes.filter(({ atMs }) => nowMs - atMs < lastsMs);
  const failures = recent.filter(({ isFailure }) => isFailure).length;
  return recent.length >= least && failures * 100 >= percent * recent.length;
}

function change(watched: Watched, { channel, from, to }: BreakerLine, view: View): void {
  const { nowMs, scenario } = view;
  const {
    cool_down_ms: waits,
    account_out_ms: accountOutMs,
    consecutive_failures: max,
  } = scenario.config.breaker;
  must(from === watched.state, () => `the breaker of ${channel} was ${watched.state} and says ${from}`);
  must(allowed[watched.state].includes(to), () => `the breaker of ${channel} goes from ${from} to ${to}`);
  if (to === 'half-open')
    must(
      nowMs >= watched.openUntilMs,
      () => `the breaker of ${channel} is half-open ${watched.openUntilMs - nowMs} ms early`,
    );
  if (to === 'open') {
    const isAccount = watched.last?.end === 'account';
    const isDue =
      from === 'half-open' || isAccount || watched.failuresInARow >= max || failsOften(watched, view);
    must(isDue, () => `the breaker of ${channel} opens after ${watched.failuresInARow} failures`);
    const coolMs = waits[Math.min(watched.openings, waits.length - 1)] ?? 0;
    watched.openUntilMs = nowMs + (isAccount ? accountOutMs : coolMs);
    watched.openings += 1;
  }
  if (to === 'closed') watched.openings = 0;
  watched.state = to === 'half-open' ? 'half-open' : to === 'open' ? 'open' : 'closed';
  watched.failuresInARow = 0;
  watched.outcomes = [];
  watched.current = new Set();
}
