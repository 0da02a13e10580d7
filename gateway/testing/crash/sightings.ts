import type { ReceivedEvent } from '../webhook-receiver.ts';
import type { Numbered } from './numbered.ts';
import type { Way } from './ways.ts';

/** What was seen of one request from outside. Times are Unix milliseconds; null: it did not happen. */
export interface Sighting extends Numbered {
  readonly way: Way;
  /** The process that it was sent to. */
  readonly gateway: number;
  readonly askedAtMs: number;
  /** Calls for it that reached an upstream; its upstream's first, and the end of what that sent last. */
  calls: number;
  upstreamAtMs: number | null;
  upstreamEndedAtMs: number | null;
  /** The first bytes of a stream. */
  beganAtMs: number | null;
  /** A whole good answer. */
  answeredAtMs: number | null;
  /** Whether its process was killed under it. */
  isCut: boolean;
  /** Whether its process was stopped, or lost the database, while it lasted: it may fail then. */
  isShaken: boolean;
  requestId: string | null;
  taskId: string | null;
  /** Links to files that the answer named. */
  links: readonly string[];
}

/** A report on a task, as it arrived. */
export interface Arrival {
  readonly n: number;
  readonly eventId: string;
  readonly text: string;
  readonly atMs: number;
  /** The status that it was answered with, and when; null when the answer was not sent. */
  status: number | null;
  answeredAtMs: number | null;
}

/** A thing that happens to a request, and the process that it happens in, where that can be told. */
export interface Moment {
  readonly what: 'asked' | 'streamed' | 'upstream ended' | 'event arrived';
  readonly n: number;
  readonly gateway: number | null;
}

/** Everything that was seen during an audit, and who listens. */
export class Sightings {
  readonly all = new Map<number, Sighting>();
  readonly arrivals: Arrival[] = [];
  onMoment: (moment: Moment) => void = () => {};
  /** Whether requests may fail that are sent now. */
  isShaking = false;

  begin(request: Pick<Sighting, 'n' | 'user' | 'way' | 'gateway'>): Sighting {
    const sighting: Sighting = {
      ...request,
      askedAtMs: Date.now(),
      calls: 0,
      upstreamAtMs: null,
      upstreamEndedAtMs: null,
      beganAtMs: null,
      answeredAtMs: null,
      isCut: false,
      isShaken: this.isShaking,
      requestId: null,
      taskId: null,
      links: [],
    };
    this.all.set(request.n, sighting);
    return sighting;
  }

  reachedUpstream(n: number): void {
    const sighting = this.all.get(n);
    if (sighting === undefined) return;
    sighting.calls += 1;
    sighting.upstreamAtMs ??= Date.now();
  }

  upstreamEnded(n: number, gateway: number): void {
    const sighting = this.all.get(n);
    if (sighting !== undefined) sighting.upstreamEndedAtMs = Date.now();
    this.onMoment({ what: 'upstream ended', n, gateway });
  }

  arrived(event: ReceivedEvent): Arrival {
    const arrival: Arrival = {
      n: Number(event.path.split('/').at(-1)),
      eventId: String(event.headers['webhook-id']),
      text: event.text,
      atMs: Date.now(),
      status: null,
      answeredAtMs: null,
    };
    this.arrivals.push(arrival);
    return arrival;
  }
}
