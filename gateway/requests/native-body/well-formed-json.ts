/**
 * JSON for upstreams that take no half of a surrogate pair, which callers send who cut a text inside of an emoji: it
 * becomes the character that stands for a broken one.
 */
export function wellFormedJson(value: object): string {
  const text = JSON.stringify(value);
  // Halves, and nothing else, are written as escapes; a text that only looks like one is not harmed.
  if (!/\\ud[89a-f]/.test(text)) return text;
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );
}
