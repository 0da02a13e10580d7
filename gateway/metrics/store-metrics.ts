import { Gauge, type Registry } from 'prom-client';
import { beforeDeadline } from '../before-deadline.ts';
import type { Clock } from '../clock.ts';
import type { Backlog, Kept } from './backlog.ts';

export interface StoreMetricsParts {
  /** Reads the open work in the database. */
  readonly readKept: () => Promise<Kept>;
  /** Users with requests in flight. */
  readonly slots: () => Promise<readonly { readonly held: number }[]>;
  /** Real time, not the test clock. */
  readonly timer: Pick<Clock, 'monotonic' | 'schedule'>;
}

interface Read extends Kept {
  readonly slots: number;
}

/** A metric with one figure, or several with an extra label. */
interface Shown {
  readonly name: string;
  readonly help: string;
  readonly own?: readonly string[];
  readonly figures: (
    read: Read,
  ) => readonly (readonly [figure: number, labels?: Readonly<Record<string, string>>])[];
}

/**
 * Timeout for the database, ms; slower figures are omitted. A scraper gives up after ten seconds, and writing the series of
 * thousands of channels takes part of that time.
 */
const withinMs = 4_000;
/** All figures of a scrape come from one read, reused for this long, ms. */
const keptForMs = 500;

const shown: readonly Shown[] = [
  {
    name: 'work_open',
    help: 'Tasks that have not ended, and events that are neither delivered nor given up.',
    own: ['kind'],
    figures: (read) => ofEach(read, ({ open }) => open),
  },
  {
    name: 'work_due',
    help: 'Those of them whose next step is due and that no process has taken up.',
    own: ['kind'],
    figures: (read) => ofEach(read, ({ due }) => due),
  },
  {
    name: 'work_oldest_due_seconds',
    help: 'How long the oldest of these has been due.',
    own: ['kind'],
    figures: (read) => ofEach(read, ({ oldestDueMs }) => oldestDueMs / 1_000),
  },
  {
    name: 'open_holds',
    help: 'Requests whose amount is set aside and not settled yet.',
    figures: ({ holds }) => [[holds]],
  },
  {
    name: 'slots_held',
    help: 'Requests in flight, as the caps of their users count them.',
    figures: ({ slots }) => [[slots]],
  },
];

/**
 * Adds metrics of the open work in the database, read at each scrape. They are the same in each process, so several processes
 * are combined by the maximum. Without an answer from the database, only these metrics are missing.
 */
export function addStoreMetrics(registry: Registry, parts: StoreMetricsParts): void {
  const { timer } = parts;
  let last: { readonly atMs: number; readonly read: Promise<Read | null> } | null = null;
  const recent = (): Promise<Read | null> => {
    const atMs = timer.monotonic();
    if (last === null || atMs - last.atMs >= keptForMs) {
      const read = readAll(parts).catch(() => null);
      last = { atMs, read: beforeDeadline(timer, withinMs, () => read) };
    }
    return last.read;
  };
  for (const { name, help, own = [], figures } of shown)
    new Gauge({
      ...{ name: `gatecheck_${name}`, help, labelNames: [...own], aggregator: 'max', registers: [registry] },
      async collect() {
        const read = await recent();
        this.reset();
        if (read === null && own.length === 0) this.remove();
        if (read !== null) for (const [figure, labels = {}] of figures(read)) this.set(labels, figure);
      },
    });
}

async function readAll({ readKept, slots }: StoreMetricsParts): Promise<Read> {
  const [kept, users] = await Promise.all([readKept(), slots()]);
  return { ...kept, slots: users.reduce((sum, { held }) => sum + held, 0) };
}

function ofEach(
  { backlogs }: Read,
  figure: (backlog: Backlog) => number,
): readonly (readonly [number, Readonly<Record<string, string>>])[] {
  return backlogs.map((backlog) => [figure(backlog), { kind: backlog.kind }]);
}
