/** Maximum length of a URL: above any in use. */
export const maxUrlLength = 8192;

/** Characters that URL parsers drop or replace, each in its own way. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ambiguous = /[\s\\\u0000-\u001f\u007f]/;

/** The text as an http or https URL if all parsers read it alike; null otherwise. */
export function plainUrl(text: string): URL | null {
  if (text.length > maxUrlLength || ambiguous.test(text) || !/^https?:\/\/[^/?#]/i.test(text)) return null;
  return URL.parse(text);
}

/** Whether a URL has user information before its host, even an empty one. */
export function namesUser(text: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(text);
}
