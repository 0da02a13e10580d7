import { type Exchange, excerpt, header, outcomeOf } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import { describeMedia, type Sniffed, sniff } from '../wire/media.ts';

/** The result of reading a URL without credentials. */
export interface Fetched {
  readonly url: string;
  readonly status: number;
  /** The media type from the `Content-Type` header. */
  readonly type: string;
  readonly bytes: Buffer;
  /** The media type that the bytes themselves show. */
  readonly sniffed: Sniffed;
  readonly exchange: Exchange;
}

/** The maximum number of redirects followed when a result is read. */
const maxRedirects = 3;

/** Reads an address as a browser would: it follows redirects and identifies the content by its bytes. */
export async function fetchMedia(open: (url: string) => LiveExchange, url: string): Promise<Fetched> {
  let exchange = await open(url).done;
  for (let hop = 0; hop < maxRedirects; hop += 1) {
    const to = redirectOf(exchange);
    if (to === null) break;
    exchange = await open(to).done;
  }
  const bytes = exchange.response?.complete === true ? exchange.response.body : Buffer.alloc(0);
  return {
    url,
    status: exchange.response?.status ?? 0,
    type: (header(exchange, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
    bytes,
    sniffed: sniff(bytes),
    exchange,
  };
}

/** A short description of a fetched result, for messages. */
export function summaryOf({ status, type, sniffed, exchange }: Fetched): string {
  if (status !== 200) return `${outcomeOf(exchange)}: ${excerpt(exchange, 120)}`;
  return `${describeMedia(sniffed)} (${type || 'no content type'})`;
}

function redirectOf(exchange: Exchange): string | null {
  const { response, request } = exchange;
  if (response === null || ![301, 302, 303, 307, 308].includes(response.status)) return null;
  return URL.parse(header(exchange, 'location') ?? '', request.url)?.href ?? null;
}
