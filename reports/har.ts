import { failuresOf } from './failures-of.ts';
import type { CheckResult, Report, ReportedExchange } from './report.ts';

/**
 * The exchanges of all failures as an HTTP archive (HAR 1.2), for browser tools and other readers, with one page per failed
 * check. Bodies are cut and redacted as in the report.
 */
export function renderHar(report: Report): string {
  const failed = report.checks.filter((check) => failuresOf(check).length > 0);
  const log = {
    version: '1.2',
    creator: { name: 'Gatecheck', version: report.versions.gatecheck },
    comment: report.headline,
    pages: failed.map((check) => ({
      startedDateTime: beganAt(report, check),
      ...{ id: check.id, title: `${check.id}: ${check.title}`, pageTimings: {} },
    })),
    entries: failed.flatMap((check) => entriesOf(report, check)),
  };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function beganAt({ started_at: start }: Report, { began_at: began = start }: CheckResult): string {
  return began;
}

/** Each exchange once, in the order of sending, with the failures that it shows. */
function entriesOf(report: Report, check: CheckResult): object[] {
  const shown = new Map<string, { exchange: ReportedExchange; comments: string[] }>();
  for (const { requirement, aspect, exchange, twin } of failuresOf(check)) {
    for (const [one, what] of [
      [twin, 'twin of'],
      [exchange, 'shows'],
    ] as const) {
      if (one === null) continue;
      const key = JSON.stringify(one);
      const known = shown.get(key) ?? { exchange: one, comments: [] };
      known.comments.push(`${what} ${requirement} ${aspect}`);
      shown.set(key, known);
    }
  }
  const began = Date.parse(beganAt(report, check));
  return [...shown.values()]
    .toSorted((one, other) => (one.exchange.at_ms ?? 0) - (other.exchange.at_ms ?? 0))
    .map(({ exchange, comments }) => ({
      pageref: check.id,
      startedDateTime: new Date(began + (exchange.at_ms ?? 0)).toISOString(),
      ...entryOf(exchange),
      comment: `${exchange.label}: ${comments.join(', ')}`,
    }));
}

function entryOf({ request, response, error }: ReportedExchange): object {
  const [waitMs, endMs] = [response?.first_byte_ms ?? 0, response?.end_ms ?? 0];
  return {
    time: endMs,
    request: {
      ...{ method: request.method, url: request.url, httpVersion: 'HTTP/1.1', cookies: [] },
      headers: fieldsOf(request.headers),
      queryString: [...queryOf(request.url)].map(([name, value]) => ({ name, value })),
      ...(request.body !== '' && {
        postData: { mimeType: fieldOf(request.headers, 'content-type'), text: request.body },
      }),
      ...{ headersSize: -1, bodySize: Buffer.byteLength(request.body) },
    },
    response: {
      // Browsers write zero for a request without an answer.
      ...{ status: response?.status ?? 0, statusText: '', httpVersion: 'HTTP/1.1', cookies: [] },
      headers: fieldsOf(response?.headers ?? []),
      content: {
        size: Buffer.byteLength(response?.body ?? ''),
        mimeType: fieldOf(response?.headers ?? [], 'content-type'),
        text: response?.body ?? '',
      },
      redirectURL: fieldOf(response?.headers ?? [], 'location', ''),
      ...{ headersSize: -1, bodySize: -1 },
      ...(error !== null && { _error: error }),
    },
    cache: {},
    timings: { send: 0, wait: waitMs, receive: Math.max(0, endMs - waitMs) },
  };
}

type Headers = ReportedExchange['request']['headers'];

function fieldsOf(headers: Headers): object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function fieldOf(headers: Headers, wanted: string, other = 'x-unknown'): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? other;
}

function queryOf(url: string): URLSearchParams {
  return URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
}
