import { setTimeout as wait } from 'node:timers/promises';
import { continued } from '../dialects/model-route.ts';
import type { Profile } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';
import { type Exchange, header } from '../wire/exchange.ts';
import { callsPerMinuteIn, mayBeByTime } from '../wire/rate-limit.ts';

/** The protocol that an interface speaks: chat completions, or a native one alone. */
export type Spoken = 'core' | 'compat-a' | 'compat-b';

/** The places that a key may have: headers, and `key` in the query. */
export type KeyPlace = 'authorization' | 'x-api-key' | 'api-key' | 'x-goog-api-key' | 'query';

/** The path and the headers of a request with its key in a place. */
function withKey(
  path: string,
  place: KeyPlace,
  key: string,
): { path: string; headers: Record<string, string> } {
  if (place === 'query') return { path: `${path}?key=${encodeURIComponent(key)}`, headers: {} };
  return { path, headers: { [place]: place === 'authorization' ? `Bearer ${key}` : key } };
}

/** The path and the body of a call, with a fault where it has messages that are none. */
export function callOf(
  spoken: Spoken,
  prefix: string,
  { model, isWrong }: { readonly model: string; readonly isWrong: boolean },
): { readonly path: string; readonly body: object } {
  const messages = isWrong ? 'none' : [{ role: 'user', content: 'Hello.' }];
  switch (spoken) {
    case 'core':
      // Where max_tokens has another name, it is refused here, too.
      return {
        path: pathOf(spoken, prefix, model),
        body: { model, messages, ...(isWrong && { max_tokens: 1 }) },
      };
    case 'compat-a':
      return { path: pathOf(spoken, prefix, model), body: { model, max_tokens: 1, messages } };
    case 'compat-b': {
      const contents = isWrong ? 'none' : [{ role: 'user', parts: [{ text: 'Hello.' }] }];
      return { path: pathOf(spoken, prefix, model), body: { contents } };
    }
  }
}

/** The path of a call. */
export function pathOf(spoken: Spoken, prefix: string, model: string): string {
  switch (spoken) {
    case 'core':
      return corePath(prefix, model, '/chat/completions');
    case 'compat-a':
      return `${prefix}/messages`;
    case 'compat-b':
      return `${prefix}/models/${encodeURIComponent(model)}:generateContent`;
  }
}

/** A path of the core routes. The name of a deployment may be in it; as `{model}` it stays so. */
export function corePath(prefix: string, model: string, rest: string): string {
  const named = model === '{model}' ? model : encodeURIComponent(model || 'none');
  return continued(
    prefix.replace('{model}', () => named),
    rest,
  );
}

/** The longest wait for a limit of calls by time, ms. */
const longestWaitMs = 65_000;

/** The header that the messages protocol demands; other protocols ignore it. */
const version = { 'anthropic-version': '2023-06-01' };

/** Sends free requests, and counts them. */
export class Asking {
  requests = 0;
  readonly answers: Exchange[] = [];
  /** The limit that an answer named; null for none. */
  callsPerMinute: number | null = null;
  readonly #client: WireClient;
  readonly #profile: Profile;

  constructor(client: WireClient, profile: Profile) {
    this.#client = client;
    this.#profile = profile;
  }

  get(path: string, place: KeyPlace): Promise<Exchange> {
    return this.#send('GET', withKey(path, place, this.#profile.keys.K1));
  }

  /** @param place null sends no key */
  post(path: string, body: object, place: KeyPlace | null, key = this.#profile.keys.K1): Promise<Exchange> {
    return this.#send('POST', place === null ? { path, headers: {} } : withKey(path, place, key), body);
  }

  async #send(
    method: string,
    { path, headers }: ReturnType<typeof withKey>,
    body?: object,
    waits = true,
  ): Promise<Exchange> {
    this.requests += 1;
    const timeoutMs = Math.min(this.#profile.timeouts.answer_ms, 15_000);
    // Some servers leave the body of a refused request on the connection, and read it as the beginning of the next one.
    const sent = { ...headers, connection: 'close', ...(/\/messages$/.test(path) && version) };
    const exchange = await this.#client.send({
      method,
      path,
      headers: sent,
      timeoutMs,
      ...(body && { body }),
    });
    this.answers.push(exchange);
    const { status = 0, headers: got = [], body: bytes } = exchange.response ?? {};
    const text = bytes?.toString('utf8', 0, 4_096) ?? '';
    this.callsPerMinute ??= callsPerMinuteIn({ status, headers: got, text });
    if (status !== 429 || !waits || !mayBeByTime(text)) return exchange;
    const seconds = Number.parseFloat(header(exchange, 'retry-after') ?? '1');
    await wait(Math.min(longestWaitMs, 1_000 * (seconds || 1)));
    return this.#send(method, { path, headers }, body, false);
  }
}

/** 0 where there was no answer. */
export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}
