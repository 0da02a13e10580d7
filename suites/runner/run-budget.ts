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

/** The bounds of a run, as plain data. */
export interface BudgetInput {
  readonly exchanges?: number | undefined;
  readonly tokens?: number | undefined;
  /** Dollars. */
  readonly usd?: string | undefined;
  /** List prices and markups; without them nothing has a price. */
  readonly pricing: Pricing;
  /** How many answers may be so long that they are left; without it, any number. */
  readonly tooLong?: number | undefined;
  /** What was sent before the first check, to see whether the deployment answers. */
  readonly before: Pick<Spent, 'exchanges'>;
}

/** The budget of a run that nothing bounds. */
export const withoutBounds: BudgetInput = {
  pricing: { model_markup_bp: {}, unit: '0.000000000001' },
  before: { exchanges: 0 },
};

/**
 * Counts what a run sends and pays for, and ends it at its bounds. An exchange is counted before it is sent, tokens and
 * money when its answer reports them. So calls in flight may exceed those bounds, and no call begins afterwards.
 */
export class RunBudget implements CheckBudget {
  readonly #limits: BudgetInput;
  readonly #over = new AbortController();
  /** The bound in dollars. */
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

  /** Which bound was reached, as a sentence; null while there is room. */
  get spent(): string | null {
    return this.#spent;
  }

  /** Whether it ended because the deployment was there no more, or its answers do not end: that is no verdict. */
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

  /** Ends the run because the deployment can be judged no further. */
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

  /** The client with its calls counted: they serve the run itself, so they are sent even when nothing is left. */
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

/** What a generation, or the sum of several of one model, costs by list prices; null for a model without a price. */
export function priceOfGeneration(pricing: Pricing, generation: Generation): Pico | null {
  const { model } = generation;
  const { models = {} } = pricing;
  const price = Object.hasOwn(models, model) ? models[model] : undefined;
  if (price === undefined) return null;
  // Without a declared markup the list price is all that is known.
  const declared = pricing.model_markup_bp.K1?.[model] ?? pricing.markup_bp?.K1 ?? 0;
  if ('input' in price)
    return 'tokens' in generation ? chargeOf(model, generation.tokens, price, declared) : 0n;
  return 'made' in generation ? unitCharge(generation.made, price, declared) : 0n;
}
