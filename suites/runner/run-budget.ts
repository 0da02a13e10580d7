import type { Spent } from 'gatecheck-reports/report';
import { CheckIsOver } from '../engine/check-is-over.ts';
import { type Generation, generationOf, modelCallOf } from '../engine/model-calls.ts';
import type { CheckBudget } from '../engine/parts/check-sender.ts';
import { wayOf } from '../engine/way-of.ts';
import { unitCharge } from '../oracle/media/price.ts';
import { dollarText, type Pico, picoIn } from '../oracle/money.ts';
import { chargeOf } from '../oracle/price.ts';
import type { Pricing } from '../profile/money.ts';
import type { WireClient } from '../wire/client.ts';

/** The limits of a run, as plain data. */
export interface BudgetInput {
  readonly exchanges?: number | undefined;
  readonly tokens?: number | undefined;
  /** Dollars. */
  readonly usd?: string | undefined;
  /** List prices and markups; without them nothing has a price. */
  readonly pricing: Pricing;
  /** How many answers may be abandoned because of their length before the run ends; absent for any number. */
  readonly tooLong?: number | undefined;
  /** What was sent before the first check, by the preflight. */
  readonly before: Pick<Spent, 'exchanges'>;
}

/** A budget without limits. */
export const withoutBounds: BudgetInput = {
  pricing: { model_markup_bp: {}, unit: '0.000000000001' },
  before: { exchanges: 0 },
};

/**
 * Counts what a run sends and pays for, and ends the run at its limits. It counts an exchange before it is sent, and tokens
 * and money when the answer reports them. So calls in flight may exceed a limit, but no call begins afterwards.
 */
export class RunBudget implements CheckBudget {
  readonly #limits: BudgetInput;
  readonly #over = new AbortController();
  /** The limit in pico-dollars. */
  readonly #mostPico: Pico | null;
  #spent: string | null = null;
  #exchanges: number;
  #paid = 0;
  #tokens = 0;
  #pico: Pico = 0n;
  #tooLong = 0;
  #isGone = false;

  constructor(limits: BudgetInput) {
    this.#limits = limits;
    this.#exchanges = limits.before.exchanges;
    this.#mostPico = limits.usd === undefined ? null : (picoIn(limits.usd) ?? 0n);
  }

  /** Aborted once the budget is spent. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** The limit that was reached, as a sentence; null while there is room. */
  get spent(): string | null {
    return this.#spent;
  }

  /** Whether the run ended without a verdict, because the deployment became unreachable or its answers do not end. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get total(): Spent {
    const { models } = this.#limits.pricing;
    return {
      exchanges: this.#exchanges,
      paid: this.#paid,
      tokens: this.#tokens,
      usd: models === undefined ? null : dollarText(this.#pico),
    };
  }

  spend(): void {
    const { exchanges } = this.#limits;
    if (exchanges !== undefined && this.#exchanges >= exchanges) this.#end(`${exchanges} exchanges`);
    if (this.#spent !== null) throw new CheckIsOver(this.#spent);
    this.#exchanges += 1;
  }

  countTooLong(): void {
    const { tooLong } = this.#limits;
    this.#tooLong += 1;
    if (tooLong !== undefined && this.#tooLong >= tooLong)
      this.endBy(`its answers do not end: ${tooLong} were longer than any may be, and were left`);
  }

  /** Ends the run because the deployment can no longer be judged. */
  endBy(sentence: string): void {
    if (this.#spent === null) this.#isGone = true;
    this.#endWith(sentence);
  }

  pay(generation: Generation): void {
    const { tokens, usd, pricing } = this.#limits;
    this.#paid += 1;
    if ('tokens' in generation)
      this.#tokens += generation.tokens.prompt_tokens + generation.tokens.completion_tokens;
    this.#pico += priceOfGeneration(pricing, generation) ?? 0n;
    if (tokens !== undefined && this.#tokens >= tokens) this.#end(`${tokens} tokens`);
    if (this.#mostPico !== null && this.#pico >= this.#mostPico) this.#end(`${usd} dollars`);
  }

  /** The client with its calls counted. They serve the run itself, so they are sent even when the budget is spent. */
  counted(client: WireClient): WireClient {
    const send: WireClient['send'] = async (request) => {
      this.#exchanges += 1;
      const exchange = await client.send(request);
      const call = modelCallOf(request, wayOf(request));
      const generation = call === null ? null : generationOf(call, exchange);
      if (generation !== null) this.pay(generation);
      return exchange;
    };
    return { ...client, send };
  }

  #end(bound: string): void {
    this.#endWith(`the budget of ${bound} is spent`);
  }

  #endWith(reason: string): void {
    if (this.#spent !== null) return;
    this.#spent = reason;
    this.#over.abort(new CheckIsOver(this.#spent));
  }
}

/** The list price of a generation, or of the sum of several of one model; null for a model without a price. */
export function priceOfGeneration(pricing: Pricing, generation: Generation): Pico | null {
  const { model } = generation;
  const { models = {} } = pricing;
  const price = Object.hasOwn(models, model) ? models[model] : undefined;
  if (price === undefined) return null;
  // Without a declared markup, only the list price is known.
  const declared = pricing.model_markup_bp.K1?.[model] ?? pricing.markup_bp?.K1 ?? 0;
  if ('input' in price)
    return 'tokens' in generation ? chargeOf(model, generation.tokens, price, declared) : 0n;
  return 'made' in generation ? unitCharge(generation.made, price, declared) : 0n;
}
