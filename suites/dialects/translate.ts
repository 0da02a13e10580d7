import { isUtf8 } from 'node:buffer';
import type { Dialect } from '../profile/dialect.ts';
import type { CarriedAnswer, CarriedRequest, Translation } from '../profile/translation.ts';
import { exactIn } from '../rewrite/json.ts';
import { isJsonObject } from '../values/json.ts';
import { withMissing } from '../wire/deployment-connection.ts';
import { ErrorMap } from './error-map.ts';
import { hiddenBy } from './hidden-by.ts';
import { type ModelMap, modelInPath, modelsInList, modelsInText } from './model-map.ts';
import { placeKey } from './place-key.ts';
import { groupOf, ownPath, protocolOf } from './routes.ts';
import { topMembers, withEdits } from './top-members.ts';

type Body = Record<string, unknown>;

/** Translates between the checks and a deployment that speaks a dialect. */
export function translationOf(dialect: Dialect, models: ModelMap): Translation {
  const errors = new ErrorMap(dialect.errors);
  return {
    request: (request) => {
      const placed = placeKey(dialect.keys, protocolOf(request.path), request);
      const path = modelInPath(ownPath(dialect.routes, placed.path), models.ownOf);
      return {
        ...placed,
        path,
        headers: withMissing(placed.headers, dialect.headers),
        body: ownBody(request, dialect, models),
      };
    },
    answer: (answer, request) => translatedAnswer(answer, request, { dialect, models, errors }),
    events: (request) => (event) => {
      if (event === null) return [];
      const lines = event.split('\n').map((line) => {
        const [, before = '', text = ''] = /^(data: ?)([{].*)$/s.exec(line) ?? [];
        return before === '' ? line : before + translatedEvent(text, request, { dialect, models, errors });
      });
      return [lines.join('\n')];
    },
    streamHead: (head) => head,
    hides: (seen) => hiddenBy(dialect, errors, seen),
    blurred: errors.blurred,
  };
}

interface Tables {
  readonly dialect: Dialect;
  readonly models: ModelMap;
  readonly errors: ErrorMap;
}

function ownBody({ path, body }: CarriedRequest, { fields }: Dialect, models: ModelMap): Buffer {
  if (body.length === 0) return body;
  const encoding = isUtf8(body) ? 'utf8' : 'latin1';
  const text = body.toString(encoding);
  const group = groupOf(path);
  const renamed = group === null ? text : inOwnNames(text, fields[group].request);
  const said = modelsInText(renamed, models.ownOf);
  return said === text ? body : Buffer.from(said, encoding);
}

function inOwnNames(text: string, names: Readonly<Record<string, string | null>>): string {
  const edits = topMembers(text).flatMap(({ name, nameAt, nameEnd }) => {
    const own = Object.hasOwn(names, name) ? names[name] : undefined;
    return typeof own === 'string' ? [{ at: nameAt, end: nameEnd, text: JSON.stringify(own) }] : [];
  });
  return edits.length === 0 ? text : withEdits(text, edits);
}

function translatedAnswer(answer: CarriedAnswer, request: CarriedRequest, tables: Tables): CarriedAnswer {
  const { dialect, models, errors } = tables;
  const body = answer.body.length === 0 ? null : exactIn(answer.body);
  if (body === null) return answer;
  const error = answer.status >= 400 && !errors.isNeutral ? errors.read(body, answer.status) : null;
  if (error !== null)
    return {
      ...answer,
      status: error.status ?? answer.status,
      body: Buffer.from(JSON.stringify(error.body)),
    };
  if (request.path.split('?', 1)[0] === '/api/v1/models') {
    const listed = JSON.stringify(modelsInList(body, models.roleOf));
    return listed === JSON.stringify(body) ? answer : { ...answer, body: Buffer.from(listed) };
  }
  const text = answer.body.toString('utf8');
  const said = inSpecifiedNames(modelsInText(text, models.roleOf), request, dialect);
  return said === text ? answer : { ...answer, body: Buffer.from(said) };
}

function translatedEvent(text: string, request: CarriedRequest, tables: Tables): string {
  const { dialect, models, errors } = tables;
  const body = exactIn(Buffer.from(text));
  if (body === null) return text;
  const error = errors.isNeutral || body.choices !== undefined ? null : errors.read(body, null);
  if (error !== null) return JSON.stringify(error.body);
  return inSpecifiedNames(modelsInText(text, models.roleOf), request, dialect);
}

/** Members of an answer under the names of the specification; dots lead into objects. */
function inSpecifiedNames(text: string, { path }: CarriedRequest, { fields }: Dialect): string {
  const group = groupOf(path);
  const names = group === null ? [] : Object.entries(fields[group].answer);
  if (names.length === 0) return text;
  const body = exactIn(Buffer.from(text));
  if (body === null) return text;
  for (const [specified, own] of names) if (own !== null) move(body, own.split('.'), specified.split('.'));
  return JSON.stringify(body);
}

function move(body: Body, from: readonly string[], to: readonly string[]): void {
  const [source, target] = [parentOf(body, from, false), parentOf(body, to, true)];
  const [name, other] = [from.at(-1) ?? '', to.at(-1) ?? ''];
  if (source === null || target === null || !Object.hasOwn(source, name)) return;
  const value = source[name];
  delete source[name];
  target[other] = value;
}

function parentOf(body: Body, path: readonly string[], makes: boolean): Body | null {
  let at: Body = body;
  for (const name of path.slice(0, -1)) {
    if (at[name] === undefined && makes) at[name] = {};
    const next = at[name];
    if (!isJsonObject(next)) return null;
    at = next;
  }
  return at;
}
