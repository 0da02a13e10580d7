import type { IncomingMessage } from 'node:http';
import type { DialectName } from '../catalogue/dialects.ts';
import { countHeader } from '../http/adapt.ts';

/** The parts of a request that can hold a key. */
export interface CredentialPlaces {
  readonly incoming: IncomingMessage;
  readonly query: string;
}

/**
 * The key that a request shows, where its path takes it from (specification, "Authentication"): a bearer token, the
 * header `x-api-key`, or the query parameter `key`, for which the clients of that protocol send `x-goog-api-key`.
 * Every other place counts for nothing (B-96). Null for none, for an ill-formed one and for several.
 */
export function credentialIn({ incoming, query }: CredentialPlaces, protocol: DialectName): string | null {
  switch (protocol) {
    case 'chat-completions':
      return bearerToken(incoming);
    case 'messages':
      return onlyHeader(incoming, 'x-api-key');
    case 'generate-content':
      return queryKey(query) ?? onlyHeader(incoming, 'x-goog-api-key');
  }
}

/** The token of a well-formed `Authorization: Bearer` header that was sent once, or null. */
export function bearerToken(incoming: IncomingMessage): string | null {
  const match = /^bearer +([\x21-\x7e]+)$/i.exec(onlyHeader(incoming, 'authorization') ?? '');
  return match?.[1] ?? null;
}

/** The value of a header that was sent once. */
function onlyHeader(incoming: IncomingMessage, lowerName: string): string | null {
  const value = incoming.headers[lowerName];
  return countHeader(incoming, lowerName) === 1 && typeof value === 'string' ? value : null;
}

/** Null when there is no such parameter; one that is given twice is no key. */
function queryKey(query: string): string | null {
  const given = new URLSearchParams(query).getAll('key');
  if (given.length === 0) return null;
  return given.length === 1 ? (given[0] ?? '') : '';
}
