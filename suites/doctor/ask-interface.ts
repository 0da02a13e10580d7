import type { Profile } from '../profile/profile.ts';
import type { WireClient } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';

/** The protocol that an interface speaks: chat completions, or a native one alone. */
export type Spoken = 'core' | 'compat-a' | 'compat-b';

/** The headers that a key may have. */
export const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'] as const;
export type KeyHeader = (typeof keyHeaders)[number];

/** The value of a header with a key. */
export function keyIn(header: KeyHeader, key: string): Record<string, string> {
  return { [header]: header === 'authorization' ? `Bearer ${key}` : key };
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
      return `${prefix}/chat/completions`;
    case 'compat-a':
      return `${prefix}/messages`;
    case 'compat-b':
      return `${prefix}/models/${encodeURIComponent(model)}:generateContent`;
  }
}

/** Sends free requests, and counts them. */
export class Asking {
  requests = 0;
  readonly #client: WireClient;
  readonly #profile: Profile;

  constructor(client: WireClient, profile: Profile) {
    this.#client = client;
    this.#profile = profile;
  }

  get(path: string, header: KeyHeader): Promise<Exchange> {
    return this.#send('GET', path, keyIn(header, this.#profile.keys.K1));
  }

  /** @param header null sends no key */
  post(path: string, body: object, header: KeyHeader | null, key = this.#profile.keys.K1): Promise<Exchange> {
    return this.#send('POST', path, header === null ? {} : keyIn(header, key), body);
  }

  #send(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Exchange> {
    this.requests += 1;
    const timeoutMs = Math.min(this.#profile.timeouts.answer_ms, 15_000);
    return this.#client.send({ method, path, headers, timeoutMs, ...(body && { body }) });
  }
}

/** 0 where there was no answer. */
export function statusOf({ response }: Exchange): number {
  return response?.status ?? 0;
}
