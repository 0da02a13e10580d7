import { type Behaviour, factsOf } from '../oracle/world/behaviours.ts';
import type { CallPlan, HistoryKind, HistoryWay } from './history.ts';

/** The upstream behaviours that each endpoint can show. Other behaviours are replaced by a similar one. */
const seenOn: Readonly<Record<HistoryWay, readonly Behaviour[] | 'all'>> = {
  core: 'all',
  compat: 'all',
  images: [
    'good',
    'server',
    'busy',
    'asks',
    'reset',
    'garbage',
    'policy',
    'odd-status',
    'leaves',
    'deserts',
    'left-again',
  ],
  tasks: ['good', 'server', 'policy', 'too-long'],
  models: ['good'],
  read: ['good'],
};

/** The cells of endpoint, form and upstream behaviour that the histories of a check have reached. */
export class Cells {
  readonly #possible: ReadonlySet<string>;
  readonly #seen = new Set<string>();

  /** @param streams the endpoints that stream */
  constructor({ behaviours }: Pick<HistoryKind, 'behaviours'>, streams: readonly HistoryWay[]) {
    const wanted = Object.keys(behaviours) as Behaviour[];
    this.#possible = new Set(
      Object.entries(seenOn).flatMap(([way, seen]) =>
        wanted
          .filter((one) => seen === 'all' || seen.includes(one))
          .flatMap((behaviour) =>
            formsOf(behaviour, streams.includes(way as HistoryWay)).map((stream) =>
              cellOf({ way: way as HistoryWay, stream, behaviour }),
            ),
          ),
      ),
    );
  }

  add(plan: Pick<CallPlan, 'way' | 'stream' | 'behaviour'>): void {
    this.#seen.add(cellOf(plan));
  }

  /** The cells that no history has reached. */
  get empty(): readonly string[] {
    return [...this.#possible].filter((cell) => !this.#seen.has(cell));
  }

  /** The coverage as one line for a report. */
  get summary(): string {
    const { empty } = this;
    const share = `${this.#possible.size - empty.length} of ${this.#possible.size} cells of way and upstream`;
    return empty.length === 0 ? share : `${share}; not drawn by this seed: ${empty.join('; ')}`;
  }
}

function formsOf(behaviour: Behaviour, streams: boolean): boolean[] {
  if (factsOf(behaviour).isStreamed) return streams ? [true] : [];
  return streams ? [false, true] : [false];
}

function cellOf({ way, stream, behaviour }: Pick<CallPlan, 'way' | 'stream' | 'behaviour'>): string {
  return `${way}${stream ? ', stream' : ''}: ${behaviour}`;
}
