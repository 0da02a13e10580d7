/** How a call to an upstream ended, as the gateway was told. */
export type CallEnd = 'answered' | 'failed' | 'account' | 'refused' | 'left';

/** A call of a gateway at an upstream. */
export interface UpstreamCall {
  readonly n: number;
  readonly process: string;
  /** The host of the upstream, which is also the id of the channel. */
  readonly host: string;
  readonly isChat: boolean;
  /** Who asked; null for calls on behalf of no request in flight. */
  readonly userId: string | null;
  readonly requestId: string | null;
  readonly model: string | null;
  readonly beganMs: number;
  /** What the upstream counted, once it has told all of it. */
  usage: { readonly promptTokens: number; readonly completionTokens: number } | null;
  end: CallEnd | null;
}

/** Watches the calls of all gateways at all upstreams. */
export interface CallWatch {
  began(call: UpstreamCall): void;
  ended(call: UpstreamCall): void;
}

/** All calls, and those in flight. */
export class Calls {
  readonly open = new Set<UpstreamCall>();
  /** Calls by the word that their answers carry. */
  readonly #byText = new Map<string, UpstreamCall>();
  readonly watches: CallWatch[] = [];
  #count = 0;

  begin(facts: Omit<UpstreamCall, 'n' | 'usage' | 'end'>): UpstreamCall {
    this.#count += 1;
    const call: UpstreamCall = { ...facts, n: this.#count, usage: null, end: null };
    this.open.add(call);
    this.#byText.set(textOf(call), call);
    for (const watch of this.watches) watch.began(call);
    return call;
  }

  end(call: UpstreamCall, how: CallEnd): void {
    if (!this.open.delete(call)) return;
    call.end = how;
    for (const watch of this.watches) watch.ended(call);
  }

  /** The call that made an answer, by its text. */
  answering(text: string): UpstreamCall | null {
    return this.#byText.get(text) ?? null;
  }
}

/** The text of the answer to a call. */
export function textOf({ n, host }: UpstreamCall): string {
  return `answer-${n}-of-${host}`;
}
