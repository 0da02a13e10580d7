import type { Finding } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Call, Protocol } from './call.ts';
import type { Pace } from './pace.ts';

/** A stream with the pace of one kind of its pieces. */
export interface PacedStream {
  readonly exchange: Exchange;
  readonly call: Call;
  readonly pace: Pace;
}

/** An upstream that took less time between first and last piece shows nothing, ms. */
const leastMs = 60;
/** One stream as slow as this is enough, ms; of quicker ones it takes several, as busy machines bunch them. */
const [slowMs, several] = [400, 3];

/** The pace of the streams of one place. `first` is the finding about the first burst. */
interface Kept<Told> {
  flows: boolean;
  bursts: number;
  slowBursts: number;
  first: Told | null;
}

/**
 * The pace of many streams. A busy machine may bunch the pieces of any stream. So a violation needs a place where no stream
 * ever flows (SSE-018: deltas are forwarded as they come).
 */
export class PaceBook<Told> {
  readonly #places = new Map<string, Kept<Told>>();
  judged = 0;

  /** @param place groups streams of the same kind, so that one kind's defect is not hidden by another's success */
  add(place: string, stream: PacedStream, tell: (finding: Finding) => Told): void {
    const { kind, sentMs, arrivedMs, firstAtMs } = stream.pace;
    if (sentMs < leastMs) return;
    this.judged += 1;
    const key = `${kind} ${place}`;
    const kept = this.#places.get(key) ?? { flows: false, bursts: 0, slowBursts: 0, first: null };
    this.#places.set(key, kept);
    if (arrivedMs >= sentMs / 2) kept.flows = true;
    // A first piece that arrives before the upstream sent its last one was not held back, even if the rest is read late.
    if (arrivedMs >= sentMs / 4 || firstAtMs < sentMs) return;
    kept.bursts += 1;
    if (sentMs >= slowMs) kept.slowBursts += 1;
    kept.first ??= tell(findingOf(stream));
  }

  /** The finding of each place where nothing flows. */
  get broken(): Told[] {
    return [...this.#places.values()].flatMap(({ flows, bursts, slowBursts, first }) =>
      flows || first === null || (slowBursts === 0 && bursts < several) ? [] : [first],
    );
  }
}

const rules: Partial<Record<Protocol, readonly [requirement: string, aspect: string]>> = {
  compatA: ['COMPA-010', 'delta-by-delta'],
  compatB: ['COMPB-010', 'piece-by-piece'],
};

function findingOf({ exchange, call, pace: { kind, sentMs, arrivedMs } }: PacedStream): Finding {
  const [requirement, aspect] = rules[call.protocol] ?? ['SSE-018', 'delta-by-delta'];
  return {
    ...{ requirement, aspect, member: kind },
    expected: `${kind} that arrive over about the ${Math.round(sentMs)} ms that the upstream takes to send them`,
    actual: `all of them within ${Math.round(arrivedMs)} ms, as in every such stream`,
    exchange,
  };
}
