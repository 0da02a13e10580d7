/** Detects long sentences and retired words in the prose of a document. */

/** Maximum words of a sentence. */
const longest = 25;

/** Retired words, each with its replacement. */
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
  // The template of a check or a mutant.
  [/\bas one sentence\b/, 'that sentence'],
  [/\b(?:whoever|nobody['’]s|somebody|anybody)\b/, 'who it is: a caller, another process'],
  [/\b(?:un)?heed(?:s|ed|ing)?\b/, 'follow, or avoid'],
  [/\bbefalls?\b|\bbefell\b/, 'affect'],
  [/\bundo(?:ne|es)? on the wire\b/, 'translate'],
  [/\bways? in\b/, 'endpoint'],
];

/** What a page shows of a line of code before it cuts it off. */
const widest = 100;

/** The lines of code blocks that are wider than a page. */
export function wideLines(text: string): string[] {
  const fenced = [...text.matchAll(/^```\w*\n([\s\S]*?)^```/gm)].map(([, body = '']) => body);
  const indented = text.match(/^ {4}.*$/gm) ?? [];
  const lines = [...fenced.flatMap((body) => body.split('\n')), ...indented.map((line) => line.slice(4))];
  return lines.filter((line) => line.length > widest);
}

/** The maximum width of a line of prose, which people read and compare in an editor. */
const widestProse = 140;

/** The lines of prose that are wider than an editor shows. Lines of tables cannot break. */
export function wideProse(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '').split('\n');
  return prose.filter((line) => line.length > widestProse && !/^(?: {4}|\||<|!)/.test(line));
}

/** A text without code blocks, tables and headings, as paragraphs and list items. */
function paragraphsOf(text: string): string[] {
  return text
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .split(/\n\s*\n/)
    .flatMap((block) => block.split(/\n(?=\s*(?:[-*]|\d+\.) |\||#)/))
    .filter((part) => !/^(?: {4}|\||#|<)/.test(part));
}

/** Replaces inline code by one word, and links by their text. */
function plain(text: string): string {
  return text.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']');
}

/** The sentences of the prose with more than 25 words; colons and semicolons end a sentence like a full stop. */
export function longSentences(text: string): string[] {
  return paragraphsOf(text)
    .flatMap((part) =>
      plain(part)
        .replaceAll(/\s+/g, ' ')
        .split(/(?<=[.!?:;][)*"]*) /),
    )
    .filter((sentence) => sentence.split(' ').filter((word) => /\w/.test(word)).length > longest);
}

/** The retired words of a text, tables and headings included, each with its context and the replacement. */
export function retiredWords(text: string): string[] {
  const prose = plain(text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/^ {4}.*$/gm, ''));
  return retired.flatMap(([pattern, instead]) =>
    [...prose.matchAll(new RegExp(`.{0,20}(?:${pattern.source}).{0,20}`, 'gi'))].map(
      ([found]) => `${found.trim()} → ${instead}`,
    ),
  );
}
