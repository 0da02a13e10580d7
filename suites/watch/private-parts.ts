import type { Exchange } from '../wire/exchange.ts';
import { type Redact, replacerOf } from '../wire/redactor.ts';

/** Fields whose values are credentials, whatever they look like. */
const secretFields: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'set-cookie',
];

/** Texts of strangers that are longer are not shown, characters. */
const longestShown = 40;

/** A JSON string that is longer, also where a line was cut within it. */
const longText = new RegExp(String.raw`"((?:[^"\\]|\\.){${longestShown},})("|$)`, 'gs');

/** Members with what people and models say, which streams bring in short pieces. */
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

/** The text with its length in place of each string that is long, or part of a conversation. */
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

/** Every credential of an exchange, wherever one is expected. */
export function credentialsOf({ request, response }: Exchange): string[] {
  const fields = [...request.headers, ...(response?.headers ?? [])];
  const inQuery = URL.parse(request.url)?.searchParams.getAll('key') ?? [];
  return fields
    .filter(([name]) => secretFields.includes(name.toLowerCase()))
    .flatMap(([, value]) => [value, ...value.split(/[\s;]+/)])
    .concat(inQuery)
    .filter((value) => value.length >= 6 && !/^(?:bearer|basic)$/i.test(value));
}
