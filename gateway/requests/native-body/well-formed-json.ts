import { withoutPictures, withPictures } from './large-pictures.ts';

/**
 * JSON for upstreams that reject lone surrogates. Callers produce them by cutting a text inside an emoji. Each is
 * replaced by U+FFFD, the replacement character.
 */
export function wellFormedJson(value: object): string {
  const { rest, pictures } = withoutPictures(value);
  const text = JSON.stringify(rest);
  // JSON.stringify escapes only lone surrogates this way; a false match on similar text does no harm.
  if (!text.includes('\\ud') || !/\\ud[89a-f]/.test(text)) return withPictures(text, pictures);
  const wellFormed = JSON.stringify(rest, (_key, member: unknown) =>
    typeof member === 'string' ? member.toWellFormed() : member,
  );
  return withPictures(wellFormed, pictures);
}
