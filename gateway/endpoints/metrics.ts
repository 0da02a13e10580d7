import type { Endpoint } from '../http/route.ts';
import { sendPlain } from '../http/send.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** GET /metrics: everything that is counted, for scrapers with an admin token. */
export function showMetrics(metrics: Pick<Metrics, 'read'>): Endpoint {
  return async (exchange) => {
    const { contentType, text } = await metrics.read();
    const headers = { 'content-type': contentType, 'cache-control': 'no-store' };
    await sendPlain(exchange, { status: 200, headers, body: text });
  };
}
