import { idsIn } from '../runner/what-answers.ts';
import { isJsonObject } from '../values/json.ts';
import { type Exchange, isSuccess, jsonOf } from '../wire/exchange.ts';
import { type Asking, corePath, pathOf, statusOf } from './ask-interface.ts';

/** The version of an interface with deployments in its paths, where the address names none. */
const usualVersion = '2024-10-21';

const deployments = '/openai/deployments/{model}';

/** Where the calls of such an interface are. */
export interface DeploymentPlace {
  readonly prefix: string;
  readonly keyPlace: 'api-key' | 'authorization';
  readonly models: readonly string[];
  readonly first: Exchange;
}

/** What an address says of an interface with deployments in its paths; null where it is of another one. */
export interface NamedDeployment {
  /** The address before `/openai`. */
  readonly base: string;
  readonly model: string | null;
  readonly version: string;
}

/** Reads `https://host/openai/deployments/NAME/chat/completions?api-version=V`, or a beginning of it. */
export function namedDeployment(url: string): NamedDeployment | null {
  const [, base, name = null, query = ''] =
    /^([^?]*)\/openai\/deployments(?:\/([^/?]+)[^?]*)?\/?(?:\?(.*))?$/.exec(url) ?? [];
  if (base === undefined) return null;
  const model = name === null ? null : decodeURIComponent(name);
  return { base, model, version: new URLSearchParams(query).get('api-version') ?? usualVersion };
}

/**
 * The place of an interface with deployments in its paths, by its list of models, or by its refusal of an empty call.
 * @param named what the address says; without it, only one request is sent
 */
export async function deploymentPlaceOf(
  asking: Asking,
  named: Pick<NamedDeployment, 'model' | 'version'> | null = null,
): Promise<DeploymentPlace | null> {
  const { model, version } = named ?? { model: null, version: usualVersion };
  const prefix = `${deployments}?api-version=${version}`;
  for (const keyPlace of named === null ? (['api-key'] as const) : (['api-key', 'authorization'] as const)) {
    const first = await asking.get(`/openai/models?api-version=${version}`, keyPlace);
    const models = isSuccess(first) ? idsIn(jsonOf(first)) : [];
    if (models.length > 0) return { prefix, keyPlace, models, first };
  }
  if (named === null) return null;
  const keyPlace = 'api-key';
  const first = await asking.post(pathOf('core', prefix, model ?? 'none'), {}, keyPlace);
  const isCall =
    [400, 422].includes(statusOf(first)) || /deployment/i.test(JSON.stringify(jsonOf(first)) ?? '');
  return isCall && isJsonObject(jsonOf(first))
    ? { prefix, keyPlace, models: model === null ? [] : [model], first }
    : null;
}

/** The routes of a dialect for a prefix with a model and a query. */
export function deploymentRoutes(prefix: string): Record<string, string> {
  return {
    '/api/v1': prefix.replace('/deployments/{model}', ''),
    '/api/v1/chat/completions': corePath(prefix, '{model}', '/chat/completions'),
    '/api/v1/images/generations': corePath(prefix, '{model}', '/images/generations'),
  };
}
