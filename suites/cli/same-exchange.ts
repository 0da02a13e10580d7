import type { ReportedExchange } from 'gatecheck-reports/report';

/**
 * The exchange in another run of a check that corresponds to this one: an equal request, and among equal ones at the same
 * position. If there is none, a request with the same purpose.
 * @param own the exchanges of this one's run; null where they are not known
 */
export function alikeIn(
  exchange: ReportedExchange,
  own: readonly ReportedExchange[] | null,
  others: readonly ReportedExchange[],
): ReportedExchange | null {
  for (const keyOf of [requestOf, purposeOf]) {
    const key = keyOf(exchange);
    const equal = others.filter((other) => keyOf(other) === key);
    const place = (own ?? []).filter((one) => keyOf(one) === key).findIndex((one) => isSame(one, exchange));
    const found = equal[Math.max(0, place)] ?? equal[0];
    if (found !== undefined) return found;
  }
  return null;
}

/** Without the origin, and without headers: keys and clients differ. */
function requestOf({ request: { method, url, body } }: ReportedExchange): string {
  return JSON.stringify([method, pathOf(url), body]);
}

function purposeOf({ label, request: { method, url } }: ReportedExchange): string {
  return JSON.stringify([label, method, pathOf(url)]);
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]+/, '').replace(/^.*(?=\/(?:api|compat)\b)/, '');
}

function isSame(one: ReportedExchange, other: ReportedExchange): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
