import type { MemberInQuestion } from 'gatecheck-reports/report';
import type { Finding } from '../rules/violation.ts';
import { isJsonObject } from '../values/json.ts';
import { type Exchange, errorParamOf } from '../wire/exchange.ts';

/** With more differences than these no single member is in question. */
const most = 4;

/** Longer values are cut, characters; how long they are says the rest. */
const longest = 300;

/** A path of members and places in a JSON body. */
type Path = readonly (string | number)[];

interface Difference {
  readonly path: Path;
  readonly value: unknown;
  readonly twin: unknown;
}

/**
 * The members of a request body that a failure is about: those in which it differs from its twin; without a twin the one
 * that the rule is about, or that the deployment names. None where that is not known.
 */
export function inQuestion({ exchange, twin, field }: Finding): MemberInQuestion[] {
  const body = exchange === undefined ? undefined : bodyOf(exchange);
  if (exchange === undefined || !isJsonObject(body)) return [];
  const name = field ?? errorParamOf(exchange);
  const top = name?.split(/[.[]/)[0] ?? '';
  const other = twin === undefined ? undefined : bodyOf(twin);
  const found = isJsonObject(other) ? differences(body, other) : [];
  const named = found.filter(({ path }) => path[0] === top);
  const shown = named.length > 0 ? named : found;
  if (shown.length > 0 && shown.length <= most)
    return shown.map((one) => ({ path: pathText(one.path), value: text(one.value), twin: text(one.twin) }));
  const isKnown = field !== undefined || Object.hasOwn(body, top);
  return isKnown ? [{ path: top, value: text(body[top]) }] : [];
}

function bodyOf({ request }: Exchange): unknown {
  try {
    return JSON.parse(request.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Where two values differ, as deep as both are objects, or lists of the same length. */
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

/** Each call has a marker of its own in its prompt, which makes no difference. */
function unmarked(prompt: string): string {
  return prompt.replaceAll(/\[gc\w+\]/g, '');
}

function pathText(path: Path): string {
  return path
    .map((step, place) => (typeof step === 'number' ? `[${step}]` : place === 0 ? step : `.${step}`))
    .join('');
}

/** JSON; null for a member that is not there. */
function text(value: unknown): string | null {
  if (value === undefined) return null;
  const json = JSON.stringify(value);
  return json.length <= longest ? json : `${json.slice(0, longest)}… (${json.length} characters)`;
}
