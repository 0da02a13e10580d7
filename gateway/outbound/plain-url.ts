/** Longest URL that is taken: above any in use. */
export const maxUrlLength = 8192;

/** Parsers drop these or take them for others, each in its own way. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ambiguous = /[\s\\\u0000-\u001f\u007f]/;

/** The http or https URL that a text plainly is, whoever reads it; null for every other one. */
export function plainUrl(text: string): URL | null {
  if (text.length > maxUrlLength || ambiguous.test(text) || !/^https?:\/\/[^/?#]/i.test(text)) return null;
  return URL.parse(text);
}

/** Whether a user is named before the host of a URL, even one without a name. */
export function namesUser(text: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(text);
}
