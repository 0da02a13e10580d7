import { plainText } from 'gatecheck-reports/plain-text';
import type { ReportedExchange } from 'gatecheck-reports/report';

/** One request and two answers to it, as a person compares them. */

/** An answer with the name of who gave it. */
export interface NamedAnswer {
  readonly name: string;
  readonly exchange: ReportedExchange;
}

/** More differences are counted, not shown. */
const mostDifferences = 15;

/** Headers that differ between any two answers. */
const restless = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'server',
  'transfer-encoding',
  'x-request-id',
]);

/** The request once, then the differences of the answers, then each answer in full. */
export function sideBySide(one: NamedAnswer, other: NamedAnswer): string {
  const differences = differencesOf(one.exchange, other.exchange);
  const shown = differences.slice(0, mostDifferences).map(([where, ...values]) => {
    const [left, right] = values.map((value) => value ?? '(absent)');
    return [`  ${where}`, `    ${one.name}: ${left}`, `    ${other.name}: ${right}`].join('\n');
  });
  const more = differences.length - shown.length;
  return plainText(
    [
      ...requestLines(one),
      '',
      differences.length === 0 ? 'The answers do not differ' : 'What differs',
      ...shown,
      ...(more > 0 ? [`  and ${more} more`] : []),
      '',
      ...answerLines(one),
      '',
      ...answerLines(other),
    ].join('\n'),
  );
}

/** A request and the one answer to it. */
export function answerInWords(one: NamedAnswer): string {
  return plainText([...requestLines(one), '', ...answerLines(one)].join('\n'));
}

function requestLines({ exchange: { request } }: NamedAnswer): string[] {
  return [
    'Request',
    ...indented(`${request.method} ${request.url}`),
    ...indented(request.headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
    ...(request.body === '' ? [] : indented(`\n${request.body}`)),
  ];
}

function answerLines({ name, exchange }: NamedAnswer): string[] {
  const { response, error } = exchange;
  if (response === null) return [`Answer of ${name}: none (${error ?? 'unknown'})`];
  return [
    `Answer of ${name}: HTTP ${response.status} after ${response.end_ms} ms${error === null ? '' : ` (${error})`}`,
    ...indented(response.headers.map(([key, value]) => `${key}: ${value}`).join('\n')),
    ...indented(`\n${response.body}`),
  ];
}

function indented(text: string): string[] {
  return text.split('\n').map((line) => `  ${line}`.trimEnd());
}

type Difference = readonly [where: string, one: string | null, other: string | null];

/** Status, headers and members of the bodies in which two answers differ. */
export function differencesOf(one: ReportedExchange, other: ReportedExchange): Difference[] {
  const [left, right] = [one, other].map(factsOf);
  if (left === undefined || right === undefined) return [];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((where) => {
    const values = [left.get(where) ?? null, right.get(where) ?? null] as const;
    return values[0] === values[1] ? [] : [[where, ...values]];
  });
}

function factsOf({ response, error }: ReportedExchange): Map<string, string> {
  if (response === null) return new Map([['answer', `none (${error ?? 'unknown'})`]]);
  const headers = response.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !restless.has(name));
  return new Map([
    ['status', String(response.status)],
    ...(error === null ? [] : [['connection', error] as const]),
    ...membersOf(response.body),
    ...headers.map(([name, value]) => [`header ${name}`, value] as const),
  ]);
}

/** The leaves of a JSON body by their paths; the lines of any other. */
function membersOf(body: string): (readonly [string, string])[] {
  try {
    return leavesOf(JSON.parse(body), 'body');
  } catch {
    return body.split('\n').map((line, place) => [`line ${place + 1}`, line]);
  }
}

function leavesOf(value: unknown, path: string): (readonly [string, string])[] {
  const entries = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  if (entries.length === 0) return [[path, JSON.stringify(value)]];
  return entries.flatMap(([key, inner]) =>
    leavesOf(inner, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`),
  );
}
