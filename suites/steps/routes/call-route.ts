import type { JsonObject, Kit } from '../../engine/kit.ts';
import type { CoreRoute } from '../../oracle/core-routes.ts';
import { must } from '../../rules/violation.ts';
import { type Exchange, excerpt, outcomeOf } from '../../wire/exchange.ts';
import { mediaIdsOf } from './routes-of.ts';

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
  const body = call.body ?? legalBody(kit, route);
  return kit.send({
    method: route.method,
    path: route.path + (call.suffix ?? ''),
    headers: call.headers,
    label: `${route.method} ${route.path}: ${call.label}`,
    ...(body === undefined ? {} : { body }),
  });
}

function legalBody(kit: Kit, { takes }: CoreRoute): JsonObject | undefined {
  switch (takes) {
    case 'nothing':
      return undefined;
    case 'chat':
      return kit.scene().minimal(kit.anyModel());
    case 'images':
    case 'task': {
      const [model] = kit.rng.shuffle(mediaIdsOf(kit, takes === 'images' ? 'images' : 'tasks'));
      return kit.media.minimal(model ?? kit.media.modelsOf('tasks')[0], kit.scene());
    }
  }
}

/**
 * The positive twin of a refusal on this route: the same minimal call with a key that works. Pictures and tasks of real
 * upstreams cost too much for that: a model that there is not shows as well that the key is good.
 */
export async function servedTwin(
  kit: Kit,
  route: CoreRoute,
  key: string,
  rule: { readonly requirement: string; readonly aspect: string },
): Promise<Exchange> {
  const model = kit.anyModel();
  const isDear = (route.takes === 'images' || route.takes === 'task') && kit.profile.upstream === undefined;
  const exchange = await callRoute(kit, route, {
    headers: { authorization: `Bearer ${key}` },
    label: 'positive twin',
    ...(route.takes === 'chat' ? { body: kit.scene().minimal(model) } : {}),
    ...(isDear ? { body: { model: 'no-such-model', prompt: kit.scene().prompt() } } : {}),
  });
  if (isDear) kit.refused(exchange, { ...rule, codes: ['model_not_found'] });
  else judgeServed(kit, route, exchange, { ...rule, model });
  return exchange;
}

/** Judges that a call was served: a whole answer of its kind, or HTTP 200 where the form of the answer is another check's matter. */
export function judgeServed(
  kit: Kit,
  route: CoreRoute,
  exchange: Exchange,
  expected: { readonly requirement: string; readonly aspect: string; readonly model: string },
): void {
  const { requirement, aspect } = expected;
  if (route.isAbsent === true) {
    kit.refused(exchange, { requirement, aspect, codes: ['task_not_found'] });
    return;
  }
  switch (route.takes) {
    case 'chat':
      kit.completed(exchange, expected);
      return;
    case 'images':
      kit.media.pictured(exchange, { requirement, aspect });
      return;
    case 'task':
      kit.media.accepted(exchange, { requirement, aspect });
      return;
    case 'nothing':
      must(exchange.response?.status === 200, {
        requirement,
        aspect,
        expected: 'HTTP 200',
        actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
        exchange,
      });
  }
}
