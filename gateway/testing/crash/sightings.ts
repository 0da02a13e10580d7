import type { ReceivedEvent } from '../webhook-receiver.ts';
import type { Numbered } from './numbered.ts';
import type { Way } from './ways.ts';

/** What was seen of one request from outside. Times are Unix milliseconds; null: it did not happen. */
export interface Sighting extends Numbered {
  readonly way: Way;
  /** The process that received the request. */
  readonly gateway: number;
  readonly askedAtMs: number;
  /** Calls for it that reached an upstream; the time of the first; the end of the last one's answer. */
  calls: number;
  upstreamAtMs: number | null;
  upstreamEndedAtMs: number | null;
  /** When the first bytes of a stream arrived. */
  beganAtMs: number | null;
  /** When a complete valid answer arrived. */
  answeredAtMs: number | null;
  /** Whether its process was killed during the request. */
  isCut: boolean;
  /** Whether its process was stopped or lost the database during the request: then it may fail. */
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
  /** The status of the receiver's answer and its time; null if no answer was sent. */
  status: number | null;
  answeredAtMs: number | null;
}

/** A moment in the life of a request, and the process where it happens, if known. */
export interface Moment {
  readonly what: 'asked' | 'streamed' | 'upstream ended' | 'event arrived';
  readonly n: number;
  readonly gateway: number | null;
}

/** Everything seen during an audit, with listeners. */
export class Sightings {
  readonly all = new Map<number, Sighting>();
  readonly arrivals: Arrival[] = [];
  onMoment: (moment: Moment) => void = () => {};
  /** Whether requests sent now may fail. */
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
