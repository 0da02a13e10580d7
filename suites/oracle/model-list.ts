import { must } from '../rules/violation.ts';
import { isJsonObject } from '../values/json.ts';
import { type Exchange, excerpt, jsonOf, mediaType, outcomeOf } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';

/** Judges an answer of GET /api/v1/models ("Endpoints", reading B-46: its form is open) and returns the ids in it. */
export function readModelList(exchange: Exchange): string[] {
  must(exchange.response?.status === 200 && exchange.response.complete, {
    requirement: 'EP-010',
    aspect: 'answers-200',
    expected: 'HTTP 200 with a list of models',
    actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
    exchange,
  });
  must(mediaType(exchange) === 'application/json', {
    requirement: 'EP-003',
    aspect: 'json-answer',
    expected: 'content type application/json',
    actual: mediaType(exchange) || '(none)',
    exchange,
  });
  const body = jsonOf(exchange);
  const fault = shapeFault('model-list', body);
  must(fault === null, {
    requirement: 'EP-010',
    aspect: 'list-shape',
    expected: 'a list of model ids in one of the usual forms',
    actual: excerpt(exchange, 160),
    exchange,
  });
  return idsIn(body);
}

/** The ids of the entries: in the list itself, or in the lists within an object. */
function idsIn(value: unknown): string[] {
  const lists = Array.isArray(value) ? [value] : Object.values(value ?? {}).filter(Array.isArray);
  return lists.flatMap((entries: unknown[]) => entries.flatMap(idOf));
}

function idOf(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry];
  if (entry === null || typeof entry !== 'object') return [];
  const { id, model, name } = entry as Record<string, unknown>;
  const found = [id, model, name].find((candidate) => typeof candidate === 'string');
  return typeof found === 'string' ? [found] : [];
}

/**
 * The form of a list in one line: its members, and the values of `object`. Callers may rely on details that the specification
 * leaves open.
 */
export function formOfList(value: unknown, name = ''): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map((entry) => formOfList(entry)))].join(' or ')}]`;
  if (!isJsonObject(value)) return name === 'object' ? JSON.stringify(value) : typeof value;
  const members = Object.keys(value).toSorted();
  return `{${members.map((member) => `${member}: ${formOfList(value[member], member)}`).join(', ')}}`;
}
