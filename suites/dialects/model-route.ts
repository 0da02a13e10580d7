import { isJsonObject, parseJson } from '../values/json.ts';
import { modelIn } from '../wire/named-model.ts';

/** Stands for the model of a call in a route such as `/deployments/{model}/chat/completions?api-version=1`. */
const mark = '{model}';

/** A route of a dialect, continued by the rest of a path; its fixed query comes first. */
export function continued(route: string, rest: string): string {
  const [own = '', fixed] = route.split(/\?(.*)/s);
  const [more = '', asked] = rest.split(/\?(.*)/s);
  const query = [fixed, asked].filter((part) => part !== undefined && part !== '').join('&');
  return `${own}${more}${query === '' ? '' : `?${query}`}`;
}

/** The path that a route with a fixed query, or with a model, has for clients: a pattern, and the members of its query. */
function patternOf(route: string): { readonly path: RegExp; readonly query: readonly string[] } {
  const [own = '', fixed = ''] = route.split(/\?(.*)/s);
  const parts = own.split(mark).map((part) => part.replaceAll(/\W/g, String.raw`\$&`));
  return {
    path: new RegExp(`^${parts.join('([^/?]+)')}(?=[/:]|$)`),
    query: fixed.split('&').map((part) => part.replace(/=.*$/s, '')),
  };
}

/**
 * A path with the model of a call in the place that its route has for it.
 * @param usual the model of a call that names none, so that its other faults are seen
 */
export function modelIntoPath(
  path: string,
  body: Buffer,
  { ownOf, usual }: { readonly ownOf: (role: string) => string; readonly usual: string },
): string {
  if (!path.includes(mark)) return path;
  const model = modelIn(body);
  return path.replace(mark, () => encodeURIComponent((model === null ? usual : ownOf(model)).toWellFormed()));
}

/** A client's path below a route, without its fixed query, and the model in it; null where it is another path. */
export function belowRoute(
  route: string,
  path: string,
): { readonly rest: string; readonly model: string | null } | null {
  const pattern = patternOf(route);
  const [own = '', query = ''] = path.split(/\?(.*)/s);
  const found = pattern.path.exec(own);
  if (found === null) return null;
  const kept = query.split('&').filter((part) => !pattern.query.includes(part.replace(/=.*$/s, '')));
  const rest = own.slice(found[0].length);
  return {
    rest: kept.join('') === '' ? rest : `${rest}?${kept.join('&')}`,
    model: found[1] === undefined ? null : decoded(found[1]),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A JSON object that names this model first; unchanged where it names one, or is none. */
export function withModel(text: string, model: string): string {
  const sent = parseJson(text);
  if (!isJsonObject(sent) || Object.hasOwn(sent, 'model')) return text;
  const comma = Object.keys(sent).length === 0 ? '' : ',';
  return text.replace('{', () => `{"model":${JSON.stringify(model)}${comma}`);
}

/** Whether the route of a path takes the model from the path. */
export function namesModel(routes: Readonly<Record<string, string>>, path: string): string | null {
  const [plain = ''] = path.split('?');
  return Object.keys(routes).find((ours) => plain === ours && routes[ours]?.includes(mark)) ?? null;
}
