import { isUtf8 } from 'node:buffer';
import type { Dialect } from '../profile/dialect.ts';
import type { CarriedRequest } from '../profile/translation.ts';
import { type ModelMap, modelInPath, modelsInText } from './model-map.ts';
import { specifiedKey } from './place-key.ts';
import { groupOf, isBelow, protocolOf, specifiedTaskPath } from './routes.ts';
import { inOwnNames } from './top-members.ts';

/** The paths of the specification ("Endpoints"). */
const known =
  /^(?:\/api\/v1\/(?:chat\/completions|models|images\/generations|tasks(?:\/[^/]+)?)|\/compat-a\/v1\/messages|\/compat-b\/v1beta\/models\/[^/]+:\w+)(?:\?|$)/;

/** A client's request in the specified form. */
export function specifiedRequest(
  dialect: Dialect,
  models: ModelMap,
  request: CarriedRequest,
): CarriedRequest {
  const path = modelInPath(specifiedPath(dialect, request.path), models.roleOf);
  const placed = specifiedKey(dialect.keys, protocolOf(path), { ...request, path });
  const { body } = placed;
  const group = groupOf(path);
  if (body.length === 0 || !isUtf8(body)) return placed;
  const names = group === null ? [] : Object.entries(dialect.fields[group].request);
  const inverse = names.flatMap(([name, own]) => (own === null ? [] : [[own, name]]));
  const text = body.toString('utf8');
  const said = modelsInText(inOwnNames(text, Object.fromEntries(inverse)), models.roleOf);
  return said === text ? placed : { ...placed, body: Buffer.from(said) };
}

function specifiedPath({ routes, tasks }: Dialect, path: string): string {
  const found = Object.entries(routes)
    .filter(([, own]) => isBelow(path, own))
    .map(([ours, own]) => `${ours}${path.slice(own.length)}`);
  return specifiedTaskPath(tasks, path) ?? found.find((one) => known.test(one)) ?? path;
}
