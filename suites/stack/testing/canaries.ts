import { randomBytes } from 'node:crypto';

/** Secrets to search for afterwards, by their use. */
export type Canaries = Record<string, string>;

/** Characters that each encoding escapes in a different way. */
const awkward = `"\\/+<&%=`;

/** A unique text in the shape of a key, legal in a header and a URL. */
export function drawCanary(): string {
  return `sk-app-${randomBytes(12).toString('base64url')}${awkward}${randomBytes(9).toString('base64url')}`;
}

/**
 * A request with a secret where it does not belong, or where it is refused. Raw bytes are written to a socket
 * unchanged.
 */
export interface CanaryCall {
  readonly as: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly raw?: string;
}

const core = '/api/v1/chat/completions';
const messages = [{ role: 'user', content: 'Say hello.' }];
const chat = { model: 'delta-3', messages };
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const nativeChat = { contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }] };
const native = (model: string, query: string): string =>
  `/compat-b/v1beta/models/${model}:generateContent?${query}`;

/** Requests with a separate canary in every place where people have put keys by mistake. `key` is a valid key. */
export function canaryCalls(key: string, admin: string, draw: (as: string) => string): CanaryCall[] {
  const at = (as: string, call: (canary: string) => Omit<CanaryCall, 'as'>): CanaryCall => ({
    as,
    ...call(draw(as)),
  });
  const inHeader = (name: string, value = (canary: string): string => canary): CanaryCall =>
    at(`the header ${name}`, (canary) => ({
      path: core,
      headers: { ...bearer(key), [name]: value(canary) },
      body: chat,
    }));
  const inBody = (as: string, body: (canary: string) => unknown): CanaryCall =>
    at(as, (canary) => ({ path: core, headers: bearer(key), body: body(canary) }));
  const image = (url: string): object => ({
    model: 'beta-large-4-5',
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  });
  return [
    at('an unknown key', (canary) => ({ path: core, headers: bearer(canary), body: chat })),
    at('an unknown x-api-key', (canary) => ({
      path: '/compat-a/v1/messages',
      headers: { 'x-api-key': canary, 'anthropic-version': '2023-06-01' },
      body: { ...chat, max_tokens: 9 },
    })),
    at('an unknown x-goog-api-key', (canary) => ({
      path: native('gamma-3-pro', ''),
      headers: { 'x-goog-api-key': canary },
      body: nativeChat,
    })),
    at('an unknown ?key=', (canary) => ({
      path: native('gamma-3-pro', `key=${encodeURIComponent(canary)}`),
      body: nativeChat,
    })),
    at('a second ?key=', (canary) => ({
      path: native('gamma-3-pro', `key=${key}&key=${encodeURIComponent(canary)}`),
      body: nativeChat,
    })),
    at('a prompt beside a good ?key=', (canary) => ({
      path: native('gamma-3-pro', `key=${key}`),
      body: { contents: [{ role: 'user', parts: [{ text: `Use ${canary}.` }] }] },
    })),
    at('?key= of another path', (canary) => ({
      path: `${core}?key=${encodeURIComponent(canary)}`,
      body: chat,
    })),
    at('?key= of no path', (canary) => ({ path: `/nowhere?key=${encodeURIComponent(canary)}`, body: chat })),
    at('a path', (canary) => ({
      path: `/api/v1/${encodeURIComponent(canary)}`,
      headers: bearer(key),
      body: {},
    })),
    at('a model in a path', (canary) => ({
      path: native(encodeURIComponent(canary), `key=${key}`),
      body: nativeChat,
    })),
    at('Basic', (canary) => ({
      path: core,
      headers: { authorization: `Basic ${Buffer.from(`user:${canary}`).toString('base64')}` },
      body: chat,
    })),
    at('Bearer twice', (canary) => ({ path: core, headers: bearer(`${key} ${canary}`), body: chat })),
    inHeader('cookie', (canary) => `session=${canary}`),
    inHeader('x-api-key'),
    inHeader('x-request-id'),
    inHeader('x-forwarded-for'),
    inHeader('referer', (canary) => `https://example.com/?key=${canary}`),
    inHeader('expect'),
    inHeader('content-type', (canary) => `text/${canary}`),
    inHeader('content-encoding'),
    inBody('an unknown field', (canary) => ({ ...chat, api_key: canary })),
    inBody('the model', (canary) => ({ ...chat, model: canary })),
    inBody('a field of a wrong type', (canary) => ({ ...chat, temperature: canary })),
    inBody('a list of stops of a wrong type', (canary) => ({ ...chat, stop: [{ text: canary }] })),
    inBody('metadata of a wrong type', (canary) => ({ ...chat, metadata: { team: [canary] } })),
    inBody('the role of a message', (canary) => ({ ...chat, messages: [{ role: canary, content: 'x' }] })),
    inBody('a prompt', (canary) => ({ ...chat, messages: [{ role: 'user', content: `Use ${canary}.` }] })),
    inBody('the body alone', (canary) => canary),
    inBody('broken JSON', (canary) => `{"model":"delta-3","api_key":${JSON.stringify(canary)},}`),
    inBody('a data URI', (canary) =>
      image(`data:image/png;base64,${Buffer.from(`\u0089PNG ${canary}`).toString('base64')}`),
    ),
    inBody('a data URI that is none', (canary) => image(`data:image/png;base64:${canary}`)),
    inBody('a data URI for a model that sees nothing', (canary) => ({
      ...image(`data:image/png;base64,${Buffer.from(canary).toString('base64')}`),
      model: 'delta-3',
    })),
    inBody('the address of an image', (canary) =>
      image(`https://media.example.com/x.png?key=${encodeURIComponent(canary)}`),
    ),
    at('a wrong method', (canary) => ({
      method: 'DELETE',
      path: `${core}?key=${encodeURIComponent(canary)}`,
    })),
    at('an unknown admin token', (canary) => ({
      method: 'GET',
      path: '/api/admin/accounts',
      headers: bearer(canary),
    })),
    at('an admin path', (canary) => ({
      method: 'GET',
      path: `/api/admin/accounts/${encodeURIComponent(canary)}`,
      headers: bearer(admin),
    })),
    at('an admin query', (canary) => ({
      method: 'GET',
      path: `/api/admin/usage?after=${encodeURIComponent(canary)}&model=${encodeURIComponent(canary)}`,
      headers: bearer(admin),
    })),
    at('an unknown hook token', (canary) => ({ path: '/hooks/store', headers: bearer(canary), body: {} })),
    at('no HTTP', (canary) => ({ raw: `GIVE ${canary} NOW\r\n\r\n` })),
    at('a broken header', (canary) => ({
      raw: `GET /api/v1/models HTTP/1.1\r\nhost: x\r\nauthorization Bearer ${canary}\r\n\r\n`,
    })),
    at('a header that is too long', (canary) => ({
      raw: `GET /api/v1/models HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${canary.repeat(500)}\r\n\r\n`,
    })),
    at('a broken chunk', (canary) => ({
      raw: `POST ${core} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ntransfer-encoding: chunked\r\n\r\n${canary}\r\n`,
    })),
  ];
}
