import { type Exchange, mediaType } from '../wire/exchange.ts';
import { judgeOpenRefusal, type OpenRefusal } from './refusal.ts';

/** Where the interface begins. A deployment may show pages of its own at every other path (reading B-117). */
const interfacePrefix = /^\/(?:api|compat-a|compat-b)\//;

/**
 * Judges the answer at a path that is almost one of the interface ("Versioning"): 404 in the error shape. Outside
 * the prefixes of the interface a page of a web site is as good, because it serves no call.
 */
export function judgeOtherPath(exchange: Exchange, path: string, rule: Omit<OpenRefusal, 'statuses'>): void {
  const isPage = exchange.response?.complete === true && mediaType(exchange) === 'text/html';
  if (isPage && !interfacePrefix.test(path)) return;
  judgeOpenRefusal(exchange, { ...rule, statuses: [404] });
}
