/** Finds what a machine can find in the prose of a document: sentences that are too long, and words that were retired. */

/** The longest sentence that is understood at first reading, in words. */
const longest = 25;

/** Words that were retired, each with the word to write. */
const retired: readonly (readonly [RegExp, string])[] = [
  [/\bfaces?\b/, 'protocol'],
  [/\blanes?\b/, 'tenant'],
  [/\bdoors?\b/, 'listener'],
  [/\bdockets?\b/, 'report'],
  [/\bdesks?\b/, 'console'],
  [/\bstor(?:y|ies)\b/, 'timeline'],
  [/\barm(?:s|ed|ing)?\b/, 'set a fault'],
  [/\bfilms?\b/, 'video'],
  [/\bpictures?\b/, 'image'],
  [/\bt(?:ells?|old|elling)\b/, 'report, show or say'],
  [/\b(?:he|him|his|himself|she|her)\b/, 'you, or the name of the role'],
  // The skeleton of a check or a mutant.
  [/\bas one sentence\b/, 'that sentence'],
  [/\b(?:whoever|nobody['’]s|somebody|anybody)\b/, 'who it is: a caller, another process'],
  [/\b(?:un)?heed(?:s|ed|ing)?\b/, 'follow, or avoid'],
  [/\bbefalls?\b|\bbefell\b/, 'affect'],
  [/\bundo(?:ne|es)? on the wire\b/, 'translate'],
  [/\bways? in\b/, 'endpoint'],
];

/** A text without blocks of code, tables and headings, as paragraphs and items of lists. */
function paragraphsOf(text: string): string[] {
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split(/\n\s*\n/)
    .flatMap((block) => block.split(/\n(?=\s*(?:[-*]|\d+\.) |\||#)/))
    .filter((part) => !/^(?: {4}|\||#|<)/.test(part));
}

/** Code marks become one word, and links their text. */
function plain(text: string): string {
  return text.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']');
}

/** The sentences of the prose with more than 25 words; a colon or semicolon ends one, as a full stop does. */
export function longSentences(text: string): string[] {
  return paragraphsOf(text)
    .flatMap((part) =>
      plain(part)
        .replaceAll(/\s+/g, ' ')
        .split(/(?<=[.!?:;][)*"]*) /),
    )
    .filter((sentence) => sentence.split(' ').filter((word) => /\w/.test(word)).length > longest);
}

/** The retired words of a text, tables and headings included, each with its surroundings and the word to write. */
export function retiredWords(text: string): string[] {
  const prose = plain(text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/^ {4}.*$/gm, ''));
  return retired.flatMap(([pattern, instead]) =>
    [...prose.matchAll(new RegExp(`.{0,20}(?:${pattern.source}).{0,20}`, 'gi'))].map(
      ([found]) => `${found.trim()} → ${instead}`,
    ),
  );
}
