import type { JsonObject, Kit } from '../../engine/kit.ts';
import { must } from '../../engine/violation.ts';
import type { CoreRoute } from '../../oracle/core-routes.ts';
import { type Exchange, excerpt, outcomeOf } from '../../wire/exchange.ts';

export interface RouteCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** Appended to the path, for instance a query. */
  readonly suffix?: string;
  /** The body in place of the minimal legal one. */
  readonly body?: JsonObject | string;
}

/** Calls a route with exactly the given headers: no credential is added. The body is a minimal legal one. */
export function callRoute(kit: Kit, route: CoreRoute, call: RouteCall): Promise<Exchange> {
  const body = call.body ?? (route.takes === 'chat' ? kit.scene().minimal(kit.anyModel()) : undefined);
  return kit.send({
    method: route.method,
    path: route.path + (call.suffix ?? ''),
    headers: call.headers,
    label: `${route.method} ${route.path}: ${call.label}`,
    ...(body === undefined ? {} : { body }),
  });
}

/** The positive twin of a refusal on this route: the same minimal call with a key that works. */
export async function servedTwin(
  kit: Kit,
  route: CoreRoute,
  key: string,
  rule: { readonly requirement: string; readonly aspect: string },
): Promise<Exchange> {
  const model = kit.anyModel();
  const exchange = await callRoute(kit, route, {
    headers: { authorization: `Bearer ${key}` },
    label: 'positive twin',
    ...(route.takes === 'chat' ? { body: kit.scene().minimal(model) } : {}),
  });
  judgeServed(kit, route, exchange, { ...rule, model });
  return exchange;
}

/** Judges that a call was served: a whole completion, or HTTP 200 where the form of the answer is another check's matter. */
export function judgeServed(
  kit: Kit,
  route: CoreRoute,
  exchange: Exchange,
  expected: { readonly requirement: string; readonly aspect: string; readonly model: string },
): void {
  if (route.takes === 'chat') {
    kit.completed(exchange, expected);
    return;
  }
  must(exchange.response?.status === 200, {
    requirement: expected.requirement,
    aspect: expected.aspect,
    expected: 'HTTP 200',
    actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
    exchange,
  });
}
