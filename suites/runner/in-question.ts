import type { MemberInQuestion } from 'gatecheck-reports/report';
import type { Finding } from '../rules/violation.ts';
import { isJsonObject } from '../values/json.ts';
import { type Exchange, errorParamOf } from '../wire/exchange.ts';

/** The most differences from a twin; with more, no single member is in question. */
const most = 4;

/** The most characters of a value; a longer one is cut, and its length is stated. */
const longest = 300;

/** A path of member names and indices in a JSON body. */
type Path = readonly (string | number)[];

interface Difference {
  readonly path: Path;
  readonly value: unknown;
  readonly twin: unknown;
}

/**
 * The members of a request body that a failure is about: those that differ from its twin. Without a twin it is the member
 * that the rule or the deployment names. Empty when that is unknown.
 */
export function inQuestion({ exchange, twin, field }: Finding): MemberInQuestion[] {
  const body = exchange === undefined ? undefined : bodyOf(exchange);
  if (exchange === undefined || !isJsonObject(body)) return [];
  const name = field ?? errorParamOf(exchange);
  const top = name?.split(/[.[]/)[0] ?? '';
  const other = twin === undefined ? undefined : bodyOf(twin);
  const found = isJsonObject(other) ? differences(body, other) : [];
  const named = found.filter(({ path }) => path[0] === top);
  const headers = twin === undefined || named.length > 0 ? [] : headerDifferences(exchange, twin);
  if (headers.length > 0 && headers.length <= most) return headers;
  const others = found.filter(({ path }) => path.join() !== 'model');
  const shown = named.length > 0 ? named : others.length > 0 ? others : found;
  if (shown.length > 0 && shown.length <= most)
    return shown
      .map((one) => ({ path: pathText(one.path), value: text(one.value), twin: text(one.twin) }))
      .map((one) => (one.path === 'model' ? asCarried(one, exchange, twin) : one));
  const isKnown = field !== undefined || Object.hasOwn(body, top);
  return isKnown ? [{ path: top, value: text(body[top]) }] : [];
}

/** A model by the deployment's own name, as the request shown has it. */
function asCarried(one: MemberInQuestion, exchange: Exchange, twin: Exchange | undefined): MemberInQuestion {
  const own = (of: Exchange | undefined): string | null => {
    const body = of === undefined ? undefined : bodyOf({ ...of, request: (of.carried ?? of).request });
    return isJsonObject(body) ? text(body.model) : null;
  };
  return { ...one, value: own(exchange) ?? one.value, twin: own(twin) ?? one.twin ?? null };
}

/** Headers that differ between any two calls. */
const changing = ['accept-encoding', 'content-length', 'traceparent', 'x-request-id'];

/** The headers of a request that its twin has not, or has otherwise: what both may differ in besides is by chance. */
function headerDifferences(exchange: Exchange, twin: Exchange): MemberInQuestion[] {
  const [own, other] = [exchange, twin].map(
    ({ request }) => new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value])),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...own.keys(), ...other.keys()])]
    .filter((name) => !changing.includes(name) && own.get(name) !== other.get(name))
    .map((name) => ({
      path: `header ${name}`,
      value: own.get(name) ?? null,
      twin: other.get(name) ?? null,
    }));
}

function bodyOf({ request }: Exchange): unknown {
  try {
    return JSON.parse(request.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The differences of two values, recursively while both are objects, or lists of the same length. */
function differences(value: unknown, twin: unknown, path: Path = []): Difference[] {
  if (isJsonObject(value) && isJsonObject(twin)) {
    const names = [...new Set([...Object.keys(value), ...Object.keys(twin)])];
    return names.flatMap((name) => differences(value[name], twin[name], [...path, name]));
  }
  if (Array.isArray(value) && Array.isArray(twin) && value.length === twin.length)
    return value.flatMap((item, place) => differences(item, twin[place], [...path, place]));
  const isSame = isText(value) && isText(twin) ? unmarked(value) === unmarked(twin) : same(value, twin);
  return isSame ? [] : [{ path, value, twin }];
}

function same(value: unknown, twin: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(twin);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Removes the marker from a prompt, because each call has its own. */
function unmarked(prompt: string): string {
  return prompt.replaceAll(/\[gc\w+\]/g, '');
}

function pathText(path: Path): string {
  return path
    .map((step, place) => (typeof step === 'number' ? `[${step}]` : place === 0 ? step : `.${step}`))
    .join('');
}

/** A value as JSON; null for a missing member. */
function text(value: unknown): string | null {
  if (value === undefined) return null;
  const json = JSON.stringify(value);
  return json.length <= longest ? json : `${json.slice(0, longest)}… (${json.length} characters)`;
}
