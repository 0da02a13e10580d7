import type { ErrorCode } from '../oracle/error-table.ts';
import type { Dialect } from '../profile/dialect.ts';
import type { SeenFinding } from '../profile/translation.ts';
import { objectIn } from '../rewrite/json.ts';
import { modelIn } from '../wire/named-model.ts';
import { type ErrorMap, errorBodyIn } from './error-map.ts';
import { namesModel } from './model-route.ts';
import { groupOf } from './routes.ts';

/** The dialect member that hides a finding, because it has one word for two or none; null if no member does. */
export function hiddenBy(dialect: Dialect, errors: ErrorMap, seen: SeenFinding): string | null {
  const { aspect, expected, request, answer } = seen;
  const names = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(expected);
  const lacking = errors.lacking.find(names);
  if (lacking !== undefined) return `dialect.errors.codes.${lacking}`;
  const body = answer === null || !errors.mayBeError(answer.status) ? null : errorBodyIn(answer);
  if (body !== null && answer !== null) {
    const { codes = [], shape = errors } = errors.read(body, answer.status) ?? {};
    if (codes.length > 1 && codes.some(names))
      return errors.blurred.get(codes[0] ?? '') ?? `dialect.errors.codes: ${codes.join(' and ')}`;
    for (const member of ['param', 'channel'] as const)
      if (shape.lacks(member) && (aspect.startsWith(member) || expected.startsWith(`${member} `)))
        return `dialect.errors.${shape === errors ? '' : 'also.'}members.${member}`;
  }
  if (answer !== null && answer.status < 400 && isByStatus(errors, answer.body, names))
    return 'dialect.errors.codes: told apart by a status, which an error within a stream does not have';
  const route = namesModel(dialect.routes, request.path);
  if (route !== null && modelIn(request.body) === null)
    return `dialect.routes.${route}: the model is in the path`;
  const group = groupOf(request.path);
  if (group === null) return null;
  if (group === 'tasks') {
    const states = Object.entries(dialect.tasks.states);
    for (const [state, own] of states.filter(([name]) => names(name))) {
      const words = [own].flat();
      const alike = states.find(
        ([name, other]) => name !== state && [other].flat().some((one) => words.includes(one)),
      );
      if (own === null) return `dialect.tasks.states.${state}`;
      if (alike !== undefined) return `dialect.tasks.states: ${state} and ${alike[0]} are one there`;
    }
  }
  const { request: asked, answer: answered } = dialect.fields[group];
  const sent = objectIn(request.body) ?? {};
  const field = Object.keys(asked).find((name) => asked[name] === null && Object.hasOwn(sent, name));
  if (field !== undefined) return `dialect.fields.${group}.request.${field}`;
  const member = Object.keys(answered).find((name) => answered[name] === null && names(name));
  return member === undefined ? null : `dialect.fields.${group}.answer.${member}`;
}

/** Whether the error in a stream may be one of the named codes among others, because only a status distinguishes them. */
function isByStatus(errors: ErrorMap, body: Buffer, names: (code: string) => boolean): boolean {
  const events = body.toString('utf8').match(/(?<=^data: ?)\{.*"error".*/gm) ?? [];
  return events.some((event) => {
    const data = objectIn(Buffer.from(event));
    const codes: readonly ErrorCode[] =
      (data && data.choices === undefined && errors.read(data, null)?.codes) || [];
    return codes.length > 1 && codes.some(names);
  });
}
