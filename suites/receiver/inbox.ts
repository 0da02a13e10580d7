import type { Answer, Answered, Arrival, EventsAnswer, ReceivedRequest } from './protocol.ts';

/** More requests than any check needs. Later ones are answered but not recorded. */
const maxRequests = 10_000;

/** What is known of a request once its head has arrived. */
export interface RequestHead {
  readonly via: Arrival;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** A request that has begun to arrive, and its planned answer. */
export interface Arriving {
  readonly answer: Answer;
  /** Records the body once it has arrived. */
  complete(body: Buffer, cut: boolean): void;
  /** Records how it was answered. The last call counts. */
  answered(answered: Answered): void;
  /** Resolves when the inbox is released. */
  held(): Promise<void>;
}

type Kept = Omit<ReceivedRequest, 'answered' | 'at_ms' | 'body_base64' | 'cut'> & {
  at_ms: number | null;
  body: Buffer;
  cut: boolean;
  answered: Answered;
};

interface Waiter {
  readonly after: number;
  readonly count: number;
  readonly wake: () => void;
}

/** The requests of one scope, the plan of its answers, and the callers who wait for requests. */
export class ReceiverInbox {
  readonly #now: () => number;
  readonly #requests: Kept[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #held = new Set<() => void>();
  #answers: readonly Answer[] = [];
  #next = 0;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How many requests have begun to arrive. */
  get count(): number {
    return this.#count;
  }

  plan(answers: readonly Answer[]): void {
    this.#answers = answers;
    this.#next = 0;
  }

  arrive(head: RequestHead): Arriving {
    const answer = this.#answers[Math.min(this.#next, this.#answers.length - 1)] ?? { status: 200 };
    // A request at the canary must not use up an answer that is planned for an event.
    const isEvent = head.via === 'https';
    if (isEvent) this.#next += 1;
    this.#count += 1;
    const kept: Kept = {
      ...head,
      n: this.#count,
      began_ms: this.#now(),
      at_ms: null,
      body: Buffer.alloc(0),
      cut: false,
      answered: { kind: 'open' },
    };
    if (this.#requests.length < maxRequests) this.#requests.push(kept);
    let go: (() => void) | null = null;
    return {
      answer: isEvent ? answer : { status: 200 },
      complete: (body, cut) => {
        Object.assign(kept, { body, cut, at_ms: this.#now() });
        this.#wake();
      },
      answered: (answered) => {
        kept.answered = answered;
        // A client that has disconnected is no longer held.
        if (answered.kind === 'left') this.#letGo(go);
      },
      held: () =>
        new Promise((resolve) => {
          go = resolve;
          this.#held.add(resolve);
        }),
    };
  }

  /** Answers the held requests. */
  release(): number {
    const held = [...this.#held];
    for (const go of held) this.#letGo(go);
    return held.length;
  }

  #letGo(go: (() => void) | null): void {
    if (go === null) return;
    this.#held.delete(go);
    go();
  }

  events(after: number, count: number): EventsAnswer {
    const events = this.#since(after).map(shown);
    return { satisfied: events.length >= count, events };
  }

  /** Resolves when there are this many requests, or when the signal aborts. */
  async wait(after: number, count: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#since(after).length >= count) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const waiter: Waiter = { after, count, wake: end };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  #wake(): void {
    for (const waiter of [...this.#waiters])
      if (this.#since(waiter.after).length >= waiter.count) waiter.wake();
  }

  /** The requests that have arrived completely. */
  #since(after: number): (Kept & { at_ms: number })[] {
    return this.#requests.filter(
      (request): request is Kept & { at_ms: number } => request.n > after && request.at_ms !== null,
    );
  }
}

function shown({ body, ...request }: Kept & { at_ms: number }): ReceivedRequest {
  return { ...request, body_base64: body.toString('base64') };
}
