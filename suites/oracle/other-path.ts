import { type Exchange, mediaType } from '../wire/exchange.ts';
import { judgeOpenRefusal, type OpenRefusal } from './refusal.ts';

/** The prefixes of specified paths. A deployment may serve its own pages at all other paths (reading B-117). */
const interfacePrefix = /^\/(?:api|compat-a|compat-b)\//;

/**
 * Judges the answer at a path close to a specified one ("Versioning"): 404 in the error shape. Outside the specified prefixes
 * an HTML page is also valid, because it serves no call.
 */
export function judgeOtherPath(exchange: Exchange, path: string, rule: Omit<OpenRefusal, 'statuses'>): void {
  const isPage = exchange.response?.complete === true && mediaType(exchange) === 'text/html';
  if (isPage && !interfacePrefix.test(path)) return;
  judgeOpenRefusal(exchange, { ...rule, statuses: [404] });
}
