import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { JsonObject } from '../../engine/requests.ts';
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
export function callRoute(kit: CheckParts, route: CoreRoute, call: RouteCall): Promise<Exchange> {
  const body = call.body ?? legalBody(kit, route);
  return kit.http.send({
    method: route.method,
    path: route.path + (call.suffix ?? ''),
    headers: call.headers,
    label: `${route.method} ${route.path}: ${call.label}`,
    ...(body === undefined ? {} : { body }),
  });
}

function legalBody(kit: CheckParts, { takes }: CoreRoute): JsonObject | undefined {
  switch (takes) {
    case 'nothing':
      return undefined;
    case 'chat':
      return kit.newScene().minimal(kit.target.anyModel());
    case 'images':
    case 'task': {
      const [model] = kit.rng.shuffle(mediaIdsOf(kit, takes === 'images' ? 'images' : 'tasks'));
      return kit.newScene().minimalMedia(model ?? kit.target.mediaModelsOf('tasks')[0]);
    }
  }
}

/**
 * The positive twin of a refusal on this route: the same minimal call with a key that works. Pictures and tasks of real
 * upstreams cost too much for that: a model that there is not shows as well that the key is good.
 */
export async function servedTwin(
  kit: CheckParts,
  route: CoreRoute,
  key: string,
  rule: { readonly requirement: string; readonly aspect: string },
): Promise<Exchange> {
  const model = kit.target.anyModel();
  const isDear =
    (route.takes === 'images' || route.takes === 'task') && kit.target.profile.upstream === undefined;
  const exchange = await callRoute(kit, route, {
    headers: { authorization: `Bearer ${key}` },
    label: 'positive twin',
    ...(route.takes === 'chat' ? { body: kit.newScene().minimal(model) } : {}),
    ...(isDear ? { body: { model: 'no-such-model', prompt: kit.newScene().prompt() } } : {}),
  });
  if (isDear) kit.judge.refused(exchange, { ...rule, codes: ['model_not_found'] });
  else judgeServed(kit, route, exchange, { ...rule, model });
  return exchange;
}

/** Judges that a call was served: a whole answer of its kind, or HTTP 200 where the form of the answer is another check's matter. */
export function judgeServed(
  kit: CheckParts,
  route: CoreRoute,
  exchange: Exchange,
  expected: { readonly requirement: string; readonly aspect: string; readonly model: string },
): void {
  const { requirement, aspect } = expected;
  if (route.isAbsent === true) {
    kit.judge.refused(exchange, { requirement, aspect, codes: ['task_not_found'] });
    return;
  }
  switch (route.takes) {
    case 'chat':
      kit.judge.completed(exchange, expected);
      return;
    case 'images':
      kit.images.pictured(exchange, { requirement, aspect });
      return;
    case 'task':
      kit.tasks.accepted(exchange, { requirement, aspect });
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
