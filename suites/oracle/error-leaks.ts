import { flag } from '../rules/violation.ts';
import type { Exchange } from '../wire/exchange.ts';

/** A shorter credential could occur in a text by chance. */
const shortestSecret = 12;

/** Stack traces in the languages that gateways use. */
const stackTraces: readonly RegExp[] = [
  /(?:\n|\\n)\s*at \S.*:\d+\)?/,
  /Traceback \(most recent call last\)/,
  /\bgoroutine \d+ \[/,
  /File "[^"]+", line \d+/,
  /\/node_modules\/|\bnode:internal\//,
];

/** Words that only the inside of a service would put into a message: of its system, its files, its store, its network. */
export const insideWords =
  /\bE(?:CONN|NOENT|PIPE|ACCES|TIMEDOUT)|\w{1,60}Error:|(?:^|[\s'"(])\/(?:app|etc|home|opt|run|srv|tmp|usr|var)\/|postgres|pglite|sqlite|\bSQL\b|\bselect\b.*\bfrom\b|127\.0\.0\.1|::1|:5432|\bpool\b/i;

/** Judges that an error answer reveals neither service internals nor the caller's key ("Errors", message). */
export function judgeLeaks(message: string, exchange: Exchange): void {
  flag(!stackTraces.some((pattern) => pattern.test(message)), {
    requirement: 'ERR-005',
    aspect: 'no-stack-trace',
    expected: 'a readable message, without a stack trace or source paths',
    actual: message.slice(0, 200),
    exchange,
  });
  const answer = answerText(exchange);
  flag(!credentialsIn(exchange).some((secret) => answer.includes(secret)), {
    requirement: 'ERR-005',
    aspect: 'no-key',
    expected: 'an error answer that does not repeat the credential of the request',
    actual: 'the answer contains the credential of the request',
    exchange,
  });
}

/** Everything that the caller sees of an answer: header fields and body. */
export function answerText(exchange: Exchange): string {
  const { response } = exchange;
  if (response === null) return '';
  const head = response.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${head}\n\n${response.body.toString('utf8')}`;
}

/** Everything in a request that may be a credential, in the right place or a wrong one. */
function credentialsIn(exchange: Exchange): string[] {
  const { headers, url } = exchange.request;
  const places = new Set(['authorization', 'x-api-key', 'api-key', 'cookie']);
  const values = headers.flatMap(([name, value]) => (places.has(name.toLowerCase()) ? [value] : []));
  const query = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
  const parameters = [...new URLSearchParams(query)].flatMap(([name, value]) =>
    /key|token|auth/i.test(name) ? [value] : [],
  );
  return [...values, ...parameters]
    .flatMap((value) => value.split(/[\s,;="]+/))
    .filter((secret) => secret.length >= shortestSecret);
}
