import type { Exchange } from '../wire/exchange.ts';
import { type Redact, replacerOf } from '../wire/redactor.ts';

/** Fields whose values are always credentials. */
const secretFields: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'set-cookie',
];

/** The longest text of other people's traffic that is shown, characters. */
const longestShown = 40;

/** Matches a longer JSON string, even if a line was cut inside it. */
const longText = new RegExp(String.raw`"((?:[^"\\]|\\.){${longestShown},})("|$)`, 'gs');

/** Matches members with texts of people and models, which streams bring in short pieces. */
const spoken =
  /"(content|text|reasoning|reasoning_content|thinking|refusal|arguments|partial_json|prompt|instructions|system|input|user)"(\s*:\s*)"((?:[^"\\]|\\.)+)("|$)/gs;

/** Hides what evidence of real traffic must not show: credentials, and the texts of requests and answers. */
export function privateParts(exchange: Exchange): Redact {
  const hide = replacerOf(credentialsOf(exchange).map((value) => [value, '$GATECHECK_KEY'] as const));
  return (text) =>
    withoutLongTexts(
      hide(text).replaceAll(/([?&](?:key|token|secret|signature|sig)=)[^&#\s"'\\$]+/g, '$1$$GATECHECK_KEY'),
    );
}

/** Replaces each string that is long, or part of a conversation, by its length. */
export function withoutLongTexts(text: string): string {
  const length = (inner: string): string =>
    /^\(\d+ characters\)$/.test(inner) ? inner : `(${inner.length} characters)`;
  return text
    .replaceAll(longText, (_, inner: string, end: string) => `"${length(inner)}${end}`)
    .replaceAll(
      spoken,
      (_, name: string, colon: string, inner: string, end: string) =>
        `"${name}"${colon}"${length(inner)}${end}`,
    );
}

/** Every credential of an exchange, from all places where one is expected. */
export function credentialsOf({ request, response }: Exchange): string[] {
  const fields = [...request.headers, ...(response?.headers ?? [])];
  const inQuery = URL.parse(request.url)?.searchParams.getAll('key') ?? [];
  return fields
    .filter(([name]) => secretFields.includes(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/[\s;]+/)])
    .concat(inQuery)
    .filter((value) => value.length >= 6 && !/^(?:bearer|basic)$/i.test(value));
}
