import type { UpstreamLimits } from '../../../config.ts';
import type { BodyStep, UpstreamQuestion, UpstreamReply, UpstreamRequest } from '../../../upstreams/call.ts';
import type { UpstreamClient } from '../../../upstreams/client.ts';
import { type ClientLeft, failure, type UpstreamFailure } from '../../../upstreams/outcome.ts';
import type { Random } from '../../random.ts';
import type { Scheduler } from '../scheduler.ts';
import type { CallEnd, Calls, UpstreamCall } from './calls.ts';

/** What becomes of a call on its way. */
export type Fate = 'well' | 'unsent' | 'lost-before' | 'lost-after' | 'stalled' | 'cut';

/** An answer as an upstream makes it, in the pieces in which it comes. */
export interface MadeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: readonly Buffer[];
  /** How a gateway has to judge it when all of it has come. */
  readonly end: CallEnd;
}

/** The upstreams, as the way to them needs them. */
export interface Site {
  readonly calls: Calls;
  /** Opens the record of a call. */
  begin(process: string, question: UpstreamQuestion, body: string | null): UpstreamCall;
  fateOf(call: UpstreamCall): Fate;
  /** Does what the call asks for, and answers. */
  answer(call: UpstreamCall, question: UpstreamQuestion, body: string | null): MadeAnswer;
}

export interface WayParts {
  readonly site: Site;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly limits: UpstreamLimits;
  readonly process: string;
}

type Head = UpstreamReply | UpstreamFailure | ClientLeft;

/** The way of one process to all upstreams, through the scheduler. */
export function simulatedUpstreams(parts: WayParts): UpstreamClient {
  return {
    post: (request: UpstreamRequest) => new SimulatedCall(parts, request, request.body).send(),
    get: (question) => new SimulatedCall(parts, question, null).send(),
    close: async () => {},
  };
}

class SimulatedCall {
  readonly #parts: WayParts;
  readonly #question: UpstreamQuestion;
  readonly #body: string | null;
  readonly #call: UpstreamCall;
  readonly #leave = (): void => this.#left();
  #next: { cancel(): void } | null = null;
  /** Ends what is being waited for when the caller leaves. */
  #give: ((left: ClientLeft) => void) | null = null;

  constructor(parts: WayParts, question: UpstreamQuestion, body: string | null) {
    this.#parts = parts;
    this.#question = question;
    this.#body = body;
    this.#call = parts.site.begin(parts.process, question, body);
  }

  send(): Promise<Head> {
    const { gone } = this.#question;
    if (gone.aborted) return Promise.resolve(this.#over('left', { kind: 'client_left' }));
    gone.addEventListener('abort', this.#leave, { once: true });
    const { site, random } = this.#parts;
    return new Promise((resolve) => {
      this.#give = resolve;
      const lose = (detail: string, more: Partial<UpstreamFailure> = {}): void =>
        resolve(this.#over('failed', failure('connection', detail, more)));
      this.#later(random.whole(1, 40), 'arrives', () => {
        const fate = site.fateOf(this.#call);
        if (fate === 'unsent') return lose('refused', { isUnsent: true });
        if (fate === 'lost-before') return lose('lost');
        if (fate === 'stalled' && random.chance(0.5)) return this.#stall(resolve);
        const made = site.answer(this.#call, this.#question, this.#body);
        if (fate === 'lost-after') return this.#later(random.whole(1, 300), 'is lost', () => lose('lost'));
        if (fate === 'stalled') return this.#stall(resolve);
        this.#later(this.#answerMs(), 'is answered', () => resolve(this.#reply(made, fate === 'cut')));
      });
    });
  }

  #answerMs(): number {
    const { random } = this.#parts;
    return random.chance(0.1) ? random.whole(500, 5000) : random.whole(5, 400);
  }

  #stall(resolve: (head: Head) => void): void {
    this.#later(this.#parts.limits.first_byte_timeout_ms, 'is too late', () =>
      resolve(this.#over('failed', failure('timeout', 'first byte'))),
    );
  }

  #reply(made: MadeAnswer, isCut: boolean): UpstreamReply {
    const { random, limits } = this.#parts;
    const cutAt = isCut ? random.whole(0, made.pieces.length - 1) : made.pieces.length;
    // The status of an error is known by then, and says what it counts against, whatever becomes of its body.
    const cutEnd = made.status >= 400 ? made.end : 'failed';
    let at = 0;
    const step = (resolve: (step: BodyStep) => void): void => {
      if (at < cutAt) resolve({ kind: 'bytes', bytes: made.pieces[at] ?? Buffer.alloc(0) });
      else if (!isCut) resolve(this.#over(made.end, { kind: 'done' }));
      else resolve(this.#over(cutEnd, failure('connection', 'cut')));
      at += 1;
    };
    return {
      kind: 'reply',
      status: made.status,
      headers: made.headers,
      read: () =>
        new Promise((resolve) => {
          if (this.#call.end !== null) return resolve({ kind: 'client_left' });
          this.#give = resolve;
          const stalls = isCut && at === cutAt && random.chance(0.3);
          if (stalls) {
            this.#later(limits.idle_timeout_ms, 'is silent', () =>
              resolve(this.#over(cutEnd, failure('timeout', 'idle'))),
            );
          } else this.#later(random.whole(0, 250), 'goes on', () => step(resolve));
        }),
      progress: () => {},
      hurry: () => {},
      // Whoever closes has read all that he needs.
      close: () => void this.#over(at >= cutAt && !isCut ? made.end : 'left', null),
    };
  }

  #left(): void {
    this.#next?.cancel();
    const give = this.#give;
    this.#over('left', null);
    give?.({ kind: 'client_left' });
  }

  #over<Given>(how: CallEnd, given: Given): Given {
    this.#next?.cancel();
    this.#give = null;
    this.#question.gone.removeEventListener('abort', this.#leave);
    this.#parts.site.calls.end(this.#call, how);
    return given;
  }

  #later(ms: number, what: string, act: () => void): void {
    const { scheduler, process } = this.#parts;
    const { n, host } = this.#call;
    this.#next = scheduler.after(ms, process, `${process} call ${n} at ${host} ${what}`, act);
  }
}
