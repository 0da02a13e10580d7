import { type Finding, must, Untestable, Violation } from '../rules/violation.ts';
import { createRng, type Rng } from '../values/seed.ts';
import { type Exchange, excerpt, outcomeOf } from '../wire/exchange.ts';
import { handlingOf } from './outcome.ts';
import type { Delivery, Session } from './session.ts';

/** The subject of a case: the rule, its aspect, and a description of what was sent. */
export interface Case {
  readonly requirement: string;
  readonly aspect: string;
  readonly what: string;
}

/** The context of one check: it sends through the session, judges answers, and keeps its evidence. */
export class CaseJudge {
  readonly session: Session;
  readonly rng: Rng;
  readonly advice: Finding[] = [];
  readonly notes: string[] = [];
  cases = 0;
  readonly #outcomes: string[] = [];
  #after: string | null = null;

  constructor(session: Session, seed: number, check: string) {
    this.session = session;
    this.rng = createRng(seed, check);
  }

  /** A summary of the answers of all cases: 'HTTP 401 (5), HTTP 400; HTTP 200 for a genuine one after them'. */
  get saw(): string {
    const counts = new Map<string, number>();
    for (const outcome of this.#outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const parts = [...counts].map(([outcome, count]) => (count === 1 ? outcome : `${outcome} (${count})`));
    return parts.join(', ') + (this.#after === null ? '' : `; ${this.#after} for a genuine one after that`);
  }

  /** The event must be answered with 2xx. If effects are reported, it must have had one. */
  accepts(delivery: Delivery, { requirement, aspect, what }: Case): void {
    const { exchange, effects } = this.#seen(delivery);
    const finding = { requirement, aspect, exchange, expected: `2xx, and one effect, for ${what}` };
    must(handlingOf(exchange) === 'accepted', { ...finding, actual: said(exchange) });
    this.session.twin ??= exchange;
    must(effects === null || effects === 1, {
      ...finding,
      aspect: effects === 0 ? `${aspect}-effect` : 'more-effects',
      actual: `${outcomeOf(exchange)}, and ${effects} effects at the --effects address${effects === 0 ? '' : '; does another sender use it?'}`,
    });
  }

  /**
   * The event must be answered with 4xx and have no effect. A wrong answer without an effect is only a warning.
   */
  refuses(delivery: Delivery, { requirement, aspect, what }: Case): void {
    const { exchange, effects } = this.#seen(delivery);
    const finding = {
      requirement,
      aspect,
      exchange,
      twin: this.session.twin,
      expected: `4xx, and no effect, for ${what}`,
    };
    const handling = handlingOf(exchange);
    must(effects === null || effects === 0, {
      ...finding,
      actual: `${said(exchange)}, and ${effects === 1 ? 'an effect' : `${effects} effects`}: it was processed`,
    });
    if (handling === 'refused') return;
    if (handling === 'accepted' && effects === null)
      throw new Violation({ ...finding, actual: said(exchange) });
    // Reported only once, because the receiver answers all events alike.
    if (this.session.reported.has(handling)) return;
    this.session.reported.add(handling);
    const harmless =
      handling === 'accepted' ? ', though it had no effect' : '; the gateway would send it again';
    this.advise({ ...finding, aspect: 'status', actual: `${said(exchange)}${harmless}` });
  }

  /** Sends a genuine event after refused ones, because a receiver that now refuses everything has proved nothing. */
  async stillAccepts(): Promise<void> {
    const delivery = await this.session.deliver('genuine, after those', this.session.draft(), 1);
    const what = `a genuine event after ${this.cases} that must be refused`;
    this.accepts(delivery, { requirement: 'RECV-001', aspect: 'still-accepts', what });
    this.#after = this.#outcomes.pop() ?? null;
  }

  /** Counts a case that is judged elsewhere. */
  note(delivery: Delivery): void {
    this.#seen(delivery);
  }

  advise(finding: Finding): void {
    this.advice.push(finding);
  }

  #seen(delivery: Delivery): Delivery {
    this.cases += 1;
    this.#outcomes.push(outcomeOf(delivery.exchange));
    if (delivery.exchange.response?.status === 429)
      throw new Untestable('a receiver that does not answer 429 to the judge');
    return delivery;
  }
}

/** Summarises an answer in one line. */
export function said(exchange: Exchange): string {
  const text = excerpt(exchange, 160);
  return text === '' ? outcomeOf(exchange) : `${outcomeOf(exchange)} ${text}`;
}
