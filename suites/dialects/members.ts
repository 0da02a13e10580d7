import type { Dialect } from '../profile/dialect.ts';
import { type Body, exactIn } from '../rewrite/json.ts';
import { isJsonObject } from '../values/json.ts';
import { groupOf } from './routes.ts';

/** Members of an answer under the names of the specification; dots lead into objects, and `[]` into each item of a list. */
export function inSpecifiedNames(text: string, path: string, { fields, tasks }: Dialect): string {
  const group = groupOf(path);
  if (group === null) return text;
  const { request, answer, texts } = fields[group];
  const isNamed = Object.keys({ ...request, ...answer }).length > 0 || texts.length > 0;
  if (!isNamed && (group !== 'tasks' || Object.keys(tasks.states).length === 0)) return text;
  const body = exactIn(Buffer.from(text));
  if (body === null) return text;
  inSpecifiedMembers(body, fields[group]);
  inSpecifiedParam(body, path, { fields });
  if (group === 'tasks') asSpecifiedTask(body, tasks);
  return JSON.stringify(body);
}

/** The record of a task that an event reports, at any place in it, as the specification has it. */
export function inSpecifiedEvent(body: Body, { fields, tasks }: Dialect): void {
  const { task_id: id = 'task_id' } = fields.tasks.answer;
  for (let level = [body]; level.length > 0; level = level.flatMap((one) => objectsOf(one))) {
    const record = level.find((one) => typeof valueAt(one, partsOf(id ?? 'task_id')) === 'string');
    if (record === undefined) continue;
    inSpecifiedMembers(record, fields.tasks);
    asSpecifiedTask(record, tasks);
    return;
  }
}

function objectsOf(body: Body): Body[] {
  return Object.values(body).filter(isJsonObject) as Body[];
}

function inSpecifiedMembers(
  body: Body,
  { answer, texts }: Pick<Dialect['fields']['tasks'], 'answer' | 'texts'>,
): void {
  const moves = Object.entries(answer).flatMap(([specified, own]) => {
    const value = own === null ? undefined : valueAt(body, partsOf(own));
    return own === null || value === undefined ? [] : [{ specified, own, value }];
  });
  // All are taken before any is put, as two may change places.
  for (const { own } of moves) take(body, partsOf(own));
  for (const { specified, value } of moves) put(body, partsOf(specified), value);
  for (const name of texts) {
    const value = valueAt(body, partsOf(name));
    if (typeof value === 'number') put(body, partsOf(name), String(value));
    if (typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)) put(body, partsOf(name), Number(value));
  }
}

/** An error whose `param` names a field of the request under its own name, with the specified one. */
export function inSpecifiedParam(body: Body, path: string, { fields }: Pick<Dialect, 'fields'>): Body {
  const group = groupOf(path);
  const { error } = body;
  if (group === null || !isJsonObject(error) || typeof error.param !== 'string') return body;
  const { param } = error;
  const found = Object.entries(fields[group].request).find(
    ([, own]) => own !== null && param.startsWith(own) && /^(?:[.[/]|$)/.test(param.slice(own.length)),
  );
  if (found !== undefined) (error as Body).param = found[0] + param.slice(found[1]?.length);
  return body;
}

/** Its state in our word, and its results as a list. */
function asSpecifiedTask(body: Body, { states }: Dialect['tasks']): void {
  if (typeof body.result_urls === 'string') body.result_urls = [body.result_urls];
  const found = Object.entries(states).find(
    ([, own]) => own !== null && [own].flat().includes(`${body.status}`),
  );
  if (found !== undefined) body.status = found[0];
}

function partsOf(path: string): string[] {
  return path
    .replaceAll('[]', '.[]')
    .split('.')
    .filter((part) => part !== '');
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (name === '[]') {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((item) => valueAt(item, rest));
    return items.includes(undefined) ? undefined : items;
  }
  return isJsonObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined;
}

/** Removes a member, and all objects that become empty. */
function take(body: Body, [name = '', next, ...rest]: readonly string[]): void {
  const inner = body[name];
  if (next !== undefined && next !== '[]' && isJsonObject(inner)) {
    take(inner as Body, [next, ...rest]);
    if (Object.keys(inner).length > 0) return;
  }
  delete body[name];
}

function put(body: Body, path: readonly string[], value: unknown): void {
  let at = body;
  for (const name of path.slice(0, -1)) {
    if (at[name] === undefined) at[name] = {};
    const next = at[name];
    if (!isJsonObject(next)) return;
    at = next as Body;
  }
  at[path.at(-1) ?? ''] = value;
}
