import { isUtf8 } from 'node:buffer';
import type { Dialect } from '../profile/dialect.ts';
import type { CarriedAnswer, CarriedRequest, Translation } from '../profile/translation.ts';
import { exactIn } from '../rewrite/json.ts';
import { withMissing } from '../wire/deployment-connection.ts';
import { acceptedTask } from './accepted-task.ts';
import { type ErrorMap, errorBodyIn, errorsAt } from './error-map.ts';
import { hiddenBy } from './hidden-by.ts';
import { inSpecifiedNames, inSpecifiedParam } from './members.ts';
import { type ModelMap, modelInPath, modelsInList, modelsInText } from './model-map.ts';
import { modelIntoPath } from './model-route.ts';
import { placeKey } from './place-key.ts';
import { groupOf, ownPath, ownTaskPath, protocolOf } from './routes.ts';
import { specifiedRequest } from './specified-request.ts';
import { inOwnNames } from './top-members.ts';
import { eventsIn } from './translate-events.ts';

/** Translates between the checks and a deployment that speaks a dialect. */
export function translationOf(
  dialect: Dialect,
  models: ModelMap,
  secrets: readonly string[] = [],
): Translation {
  const errors = errorsAt(dialect);
  const event = eventsIn(dialect, secrets);
  return {
    request: (request) => {
      const placed = placeKey(dialect.keys, protocolOf(request.path), request);
      const found = ownTaskPath(dialect.tasks, placed.path) ?? ownPath(dialect.routes, placed.path);
      const path = modelInPath(modelIntoPath(found, request.body, models), models.ownOf);
      return {
        ...placed,
        path,
        headers: withMissing(placed.headers, dialect.headers),
        body: ownBody(request, dialect, models),
      };
    },
    answer: (answer, request) =>
      translatedAnswer(acceptedTask(answer, request, dialect), request, { dialect, models, errors }),
    events: (request) => (event) => {
      if (event === null) return [];
      const lines = event.split('\n').map((line) => {
        const [, before = '', text = ''] = /^(data: ?)([{].*)$/s.exec(line) ?? [];
        return before === '' ? line : before + translatedEvent(text, request, { dialect, models, errors });
      });
      return [lines.join('\n')];
    },
    streamsArray: ({ path }) =>
      dialect.streams['compat-b'] === 'array' && /:streamGenerateContent(?:\?|$)/.test(path),
    streamHead: (head) => head,
    hides: (seen) => hiddenBy(dialect, errors(seen.request.path), seen),
    // Read by their bodies, such errors have the status that their code should have.
    ...(dialect.errors.in_success === true && {
      silences: (rule) => (rule === 'ERR-001' ? 'dialect.errors.in_success' : null),
    }),
    blurred: errors('/api/v1').blurred,
    specified: (request) => specifiedRequest(dialect, models, request),
    ...(event && { event }),
  };
}

interface Tables {
  readonly dialect: Dialect;
  readonly models: ModelMap;
  readonly errors: (path: string) => ErrorMap;
}

function ownBody({ path, body }: CarriedRequest, { fields }: Dialect, models: ModelMap): Buffer {
  if (body.length === 0) return body;
  const encoding = isUtf8(body) ? 'utf8' : 'latin1';
  const text = body.toString(encoding);
  const group = groupOf(path);
  const renamed = group === null ? text : inOwnNames(text, fields[group].request, fields[group].texts);
  const said = modelsInText(renamed, models.ownOf);
  return said === text ? body : Buffer.from(said, encoding);
}

function translatedAnswer(answer: CarriedAnswer, request: CarriedRequest, tables: Tables): CarriedAnswer {
  const { dialect, models } = tables;
  const errors = tables.errors(request.path);
  const failed = errors.mayBeError(answer.status) && !errors.isNeutral ? errorBodyIn(answer) : null;
  const error = failed && errors.read(failed, answer.status);
  if (error !== null)
    return {
      ...answer,
      status: error.status ?? answer.status,
      // A form of errors that is mapped may have a type of its own: application/problem+json, text/plain.
      headers: answer.headers.map(([name, value]) =>
        name.toLowerCase() === 'content-type'
          ? [name, value.replace(/^(?:application\/[\w.-]+\+json|text\/plain)/i, 'application/json')]
          : [name, value],
      ),
      body: Buffer.from(JSON.stringify(inSpecifiedParam(error.body, request.path, dialect))),
    };
  const body = answer.body.length === 0 ? null : exactIn(answer.body);
  if (body === null) return answer;
  if (request.path.split('?', 1)[0] === '/api/v1/models') {
    const listed = JSON.stringify(modelsInList(body, models.roleOf));
    return listed === JSON.stringify(body) ? answer : { ...answer, body: Buffer.from(listed) };
  }
  const text = answer.body.toString('utf8');
  const said = inSpecifiedNames(modelsInText(text, models.roleOf), request.path, dialect);
  return said === text ? answer : { ...answer, body: Buffer.from(said) };
}

function translatedEvent(text: string, request: CarriedRequest, tables: Tables): string {
  const { dialect, models } = tables;
  const errors = tables.errors(request.path);
  const body = exactIn(Buffer.from(text));
  if (body === null) return text;
  const error = errors.isNeutral || body.choices !== undefined ? null : errors.read(body, null);
  if (error !== null) return JSON.stringify(error.body);
  return inSpecifiedNames(modelsInText(text, models.roleOf), request.path, dialect);
}
