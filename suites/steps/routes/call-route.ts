import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import {
  type CoreRoute,
  coreRoutes,
  imagesRoute,
  modelsRoute,
  readRoute,
  submitRoute,
} from '../../oracle/core-routes.ts';
import { errorTable, isErrorCode } from '../../oracle/error-table.ts';
import { type MediaModel, mediaModel } from '../../oracle/media/models.ts';
import { needAnswered, needServed } from '../../oracle/need-served.ts';
import { must, Untestable } from '../../rules/violation.ts';
import { type Exchange, errorCodeOf, excerpt, isSuccess, outcomeOf } from '../../wire/exchange.ts';

export interface RouteCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly label: string;
  /** Appended to the path, for example a query. */
  readonly suffix?: string;
  /** Replaces the minimal legal body. */
  readonly body?: JsonObject | string;
}

/**
 * Calls a route with exactly the given headers, without adding a credential. The body is a minimal legal one by
 * default.
 */
export function callRoute(parts: CheckParts, route: CoreRoute, call: RouteCall): Promise<Exchange> {
  const body = call.body ?? legalBody(parts, route);
  return parts.http.send({
    method: route.method,
    path: route.path + (call.suffix ?? ''),
    headers: call.headers,
    label: `${route.method} ${route.path}: ${call.label}`,
    ...(body === undefined ? {} : { body }),
  });
}

/** A minimal legal chat call with its model, to be judged as {@link judgeServed} does; no model on other routes. */
export function chatCallOn(
  { target, newScene }: CheckParts,
  { takes }: CoreRoute,
): { readonly model: string; readonly more: Pick<RouteCall, 'body'> } {
  if (takes !== 'chat') return { model: '', more: {} };
  const model = target.anyModel();
  return { model, more: { body: newScene().minimal(model) } };
}

/**
 * The positive twin of a refusal on this route: the same minimal call with a valid key. Real images and tasks are too
 * expensive, so the twin requests an unknown model there. The error for that also shows that the key is valid.
 */
export async function servedTwin(
  parts: CheckParts,
  route: CoreRoute,
  key: string,
  rule: { readonly requirement: string; readonly aspect: string },
): Promise<Exchange> {
  const { target, newScene, judge } = parts;
  const { model, more } = chatCallOn(parts, route);
  const isDear =
    (route.takes === 'images' || route.takes === 'task') && target.profile.upstream === undefined;
  const exchange = await callRoute(parts, route, {
    headers: { authorization: `Bearer ${key}` },
    label: 'positive twin',
    ...more,
    ...(isDear ? { body: { model: 'no-such-model', prompt: newScene().prompt() } } : {}),
  });
  if (isDear) judge.known(exchange, { code: 'model_not_found', own: rule, blames: isOfKey });
  else judgeServed(parts, route, exchange, { ...rule, model });
  return exchange;
}

/**
 * Makes a check untestable when a call without a valid key is refused for another reason than the key. Other checks judge
 * that, and it says nothing about keys in other places or other faults.
 * @throws Untestable with the call's result.
 */
export async function needRefusedKeyless(
  parts: CheckParts,
  route: CoreRoute,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const exchange = await callRoute(parts, route, { headers, label: 'no good key' });
  const code = errorCodeOf(exchange);
  if (typeof code !== 'string' || code === 'invalid_api_key') return;
  throw new Untestable(`a refusal for the missing key (${exchange.label} got ${code})`);
}

/** Whether a refusal blames the key. */
function isOfKey(code: string): boolean {
  return isErrorCode(code) && errorTable[code].type === 'auth_error';
}

/** Judges that a call was served: a whole answer of its kind, or HTTP 200 where another check judges the form. */
export function judgeServed(
  { judge, images, tasks }: CheckParts,
  route: CoreRoute,
  exchange: Exchange,
  expected: { readonly requirement: string; readonly aspect: string; readonly model: string },
): void {
  const { requirement, aspect } = expected;
  if (route.isAbsent === true) {
    judge.known(exchange, { code: 'task_not_found', own: { requirement, aspect }, blames: isOfKey });
    return;
  }
  needServed(exchange, aspect);
  switch (route.takes) {
    case 'chat':
      judge.completed(exchange, expected);
      return;
    case 'images':
      images.pictured(exchange, { requirement, aspect });
      return;
    case 'task':
      tasks.accepted(exchange, { requirement, aspect });
      return;
    case 'nothing':
      needAnswered(exchange, aspect);
      must(isSuccess(exchange), {
        requirement,
        aspect,
        expected: 'HTTP 200',
        actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
        exchange,
      });
  }
}

function legalBody({ newScene, target, rng }: CheckParts, { takes }: CoreRoute): JsonObject | undefined {
  switch (takes) {
    case 'nothing':
      return undefined;
    case 'chat':
      return newScene().minimal(target.anyModel());
    case 'images':
    case 'task': {
      const endpoint = takes === 'images' ? 'images' : 'tasks';
      const [model = target.mediaModelsOf(endpoint)[0]] = rng.shuffle(mediaIdsOf(target, endpoint));
      return newScene().minimalMedia(model);
    }
  }
}

/** The route that rules of every route are tried on in detail: the first one that generates something. */
export function mainRoute(target: Target): CoreRoute {
  return routesOf(target).find(({ takes }) => takes !== 'nothing') ?? modelsRoute;
}

/**
 * The core routes of a deployment. Routes for images and tasks are included if it has a model for them, chat unless it is
 * declared absent.
 */
export function routesOf(target: Target): readonly CoreRoute[] {
  const serves = (endpoint: MediaModel['endpoint']): boolean =>
    target.mediaModels.some((id) => mediaModel(id)?.endpoint === endpoint);
  return [
    ...coreRoutes.filter(({ takes }) => takes !== 'chat' || target.hasChat),
    ...(serves('images') ? [imagesRoute] : []),
    ...(serves('tasks') ? [submitRoute, readRoute] : []),
  ];
}

/** Models of an endpoint whose requests can be filled from the profile. */
export function mediaIdsOf(target: Target, endpoint: MediaModel['endpoint']): readonly string[] {
  return target.mediaModels.filter((id) => mediaModel(id)?.endpoint === endpoint && target.canFill(id));
}
