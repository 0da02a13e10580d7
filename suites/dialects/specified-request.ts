import { isUtf8 } from 'node:buffer';
import type { Dialect } from '../profile/dialect.ts';
import type { CarriedRequest } from '../profile/translation.ts';
import { type ModelMap, modelInPath, modelsInText } from './model-map.ts';
import { belowRoute, withModel } from './model-route.ts';
import { specifiedKey } from './place-key.ts';
import { groupOf, protocolOf, specifiedPaths, specifiedTaskPath } from './routes.ts';
import { inOwnNames } from './top-members.ts';

const noFields: Pick<Dialect['fields']['chat'], 'request' | 'texts'> = { request: {}, texts: [] };

/** A client's request in the specified form. */
export function specifiedRequest(
  dialect: Dialect,
  models: ModelMap,
  request: CarriedRequest,
): CarriedRequest {
  const found = specifiedPath(dialect, request.path);
  const path = modelInPath(found.path, models.roleOf);
  const placed = specifiedKey(dialect.keys, protocolOf(path), { ...request, path });
  const { body } = placed;
  const group = groupOf(path);
  if (body.length === 0 || !isUtf8(body)) return placed;
  const { request: names, texts } = group === null ? noFields : dialect.fields[group];
  const inverse = Object.entries(names).flatMap(([name, own]) => (own === null ? [] : [[own, name]]));
  const ownTexts = texts.map((name) => names[name] ?? name);
  const text = body.toString('utf8');
  const named = found.model === null ? text : withModel(text, found.model);
  const said = modelsInText(inOwnNames(named, Object.fromEntries(inverse), ownTexts), models.roleOf);
  return said === text ? placed : { ...placed, body: Buffer.from(said) };
}

/** A path in the specification, and the model that a route takes from its path. */
function specifiedPath(
  { routes, tasks }: Dialect,
  path: string,
): { readonly path: string; readonly model: string | null } {
  const task = specifiedTaskPath(tasks, path);
  if (task !== null) return { path: task, model: null };
  const found = Object.entries(routes).flatMap(([ours, own]) => {
    const below = belowRoute(own, path);
    return below === null ? [] : [{ path: `${ours}${below.rest}`, model: below.model }];
  });
  return found.find((one) => specifiedPaths.test(one.path) || isAdmin(one.path)) ?? { path, model: null };
}

/** Whether a path is one of an administrator ("Authentication"), whose routes are the deployment's own. */
function isAdmin(path: string): boolean {
  return path.startsWith('/api/admin/');
}
