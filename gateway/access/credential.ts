import type { IncomingMessage } from 'node:http';
import type { DialectName } from '../catalogue/dialects.ts';
import { countHeader } from '../http/adapt.ts';

/** The parts of a request that can carry a key. */
export interface CredentialPlaces {
  readonly incoming: IncomingMessage;
  readonly query: string;
}

/**
 * The key of a request, from the places that its path allows (specification, "Authentication"). These are a bearer
 * token, the header `x-api-key`, or the query parameter `key`. Where that header is missing, the bearer token of the
 * newer official clients counts. Clients of the protocol with that parameter also send `x-goog-api-key`. Other places
 * are ignored (B-96). Null for no key, an ill-formed one, or several.
 */
export function credentialIn({ incoming, query }: CredentialPlaces, protocol: DialectName): string | null {
  switch (protocol) {
    case 'chat-completions':
      return bearerToken(incoming);
    case 'messages':
      return countHeader(incoming, 'x-api-key') === 0
        ? bearerToken(incoming)
        : onlyHeader(incoming, 'x-api-key');
    case 'generate-content':
      return queryKey(query) ?? onlyHeader(incoming, 'x-goog-api-key');
  }
}

/** The token of a well-formed `Authorization: Bearer` header that occurs once, or null. */
export function bearerToken(incoming: IncomingMessage): string | null {
  const match = /^bearer +([\x21-\x7e]+)$/i.exec(onlyHeader(incoming, 'authorization') ?? '');
  return match?.[1] ?? null;
}

/** The value of a header that occurs once, or null. */
function onlyHeader(incoming: IncomingMessage, lowerName: string): string | null {
  const value = incoming.headers[lowerName];
  return countHeader(incoming, lowerName) === 1 && typeof value === 'string' ? value : null;
}

/** The key in the query; null if the parameter is missing or occurs twice. */
function queryKey(query: string): string | null {
  const given = new URLSearchParams(query).getAll('key');
  if (given.length === 0) return null;
  return given.length === 1 ? (given[0] ?? '') : '';
}
