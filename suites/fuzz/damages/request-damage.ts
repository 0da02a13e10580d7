import type { Rng } from '../../values/seed.ts';
import type { Certainty } from '../grammar/known-values.ts';
import { type DraftRequest, keySlot } from '../grammar/subject.ts';

/** The parts of a request besides the fields of its body. */
export const requestParts = [
  '(path)',
  '(query)',
  '(method)',
  '(key)',
  '(headers)',
  '(media type)',
  '(coding)',
  '(body)',
] as const;
export type RequestPart = (typeof requestParts)[number];

/** One kind of damage of a request as a whole. */
export interface RequestDamage {
  readonly part: RequestPart;
  readonly kind: string;
  /** Whether it applies only to requests with a body. */
  readonly needsBody: boolean;
  readonly certainty: Certainty;
  readonly apply: (request: DraftRequest, rng: Rng) => DraftRequest;
}

type Apply = RequestDamage['apply'];

export const sure = { certainty: 'refuse', needsBody: false } as const;
export const open = { certainty: 'open', needsBody: false } as const;
export const sureBody = { certainty: 'refuse', needsBody: true } as const;
export const openBody = { certainty: 'open', needsBody: true } as const;

export const withPath =
  (change: (path: string, rng: Rng) => string): Apply =>
  (request, rng) => {
    const [path = '', ...query] = request.path.split('?');
    return { ...request, path: [change(path, rng), ...query].join('?') };
  };

export const withQuery =
  (add: (rng: Rng) => string): Apply =>
  (request, rng) => ({
    ...request,
    path: `${request.path}${request.path.includes('?') ? '&' : '?'}${add(rng)}`,
  });

export const withHeaders =
  (change: (rng: Rng) => Readonly<Record<string, string>>): Apply =>
  (request, rng) => ({ ...request, headers: { ...request.headers, ...change(rng) } });

export const withBody =
  (
    change: (body: Buffer, rng: Rng) => Buffer | string,
    headers: Readonly<Record<string, string>> = {},
  ): Apply =>
  (request, rng) => ({
    ...request,
    headers: { ...request.headers, ...headers },
    body: Buffer.from(change(request.body, rng) as string),
  });

export const without = (
  headers: DraftRequest['headers'],
  ...names: readonly string[]
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/** The request with another key in the same header or query. */
export const withKey =
  (change: (rng: Rng) => string): Apply =>
  (request, rng) => {
    const key = change(rng);
    const headers = Object.entries(request.headers).map(([name, value]) => [
      name,
      value.replace(keySlot, () => key),
    ]);
    return {
      ...request,
      path: request.path.replace(keySlot, () => encodeURIComponent(key)),
      headers: Object.fromEntries(headers),
    };
  };
