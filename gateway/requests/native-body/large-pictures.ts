import { randomUUID } from 'node:crypto';
import { isObject } from '../../http/parse-json.ts';
import { isBase64 } from '../media-url.ts';

/** Shorter texts are cheaper to write than to check. */
const largeLength = 1024 * 1024;
/** The longest head of a data URI that is examined. */
const maxHeadLength = 256;

/** Stands for an image in the text. Callers cannot know it, so none of their texts contains it. */
const mark = randomUUID();

/** A value without the large images in its texts. */
export interface Apart {
  readonly rest: unknown;
  readonly pictures: readonly string[];
}

/**
 * Takes large images out of a value. Their base64 needs no escapes in JSON, and a writer that checks each letter would block
 * the event loop. Parts without images stay the same objects.
 */
export function withoutPictures(value: object): Apart {
  const pictures: string[] = [];
  const visit = (one: unknown): unknown => {
    if (typeof one === 'string') {
      if (one.length < largeLength || !isPicture(one)) return one;
      pictures.push(one);
      return mark + (pictures.length - 1);
    }
    if (Array.isArray(one)) return visitList(one);
    return isObject(one) ? visitObject(one) : one;
  };
  const visitList = (list: readonly unknown[]): readonly unknown[] => {
    let copy: unknown[] | null = null;
    for (let at = 0; at < list.length; at += 1) {
      const taken = visit(list[at]);
      if (taken === list[at]) continue;
      copy ??= [...list];
      copy[at] = taken;
    }
    return copy ?? list;
  };
  const visitObject = (object: Readonly<Record<string, unknown>>): unknown => {
    let copy: Record<string, unknown> | null = null;
    for (const name in object) {
      const given = object[name];
      if (typeof given !== 'string' && typeof given !== 'object') continue;
      const taken = visit(given);
      if (taken === given) continue;
      copy ??= { ...object };
      // An assignment to `__proto__` would set the prototype.
      Object.defineProperty(copy, name, { value: taken, enumerable: true, configurable: true });
    }
    return copy ?? object;
  };
  return { rest: visit(value), pictures };
}

/** The JSON text of the rest, with the images put back in their places. */
export function withPictures(text: string, pictures: readonly string[]): string {
  const [first = '', ...others] = pictures.length === 0 ? [text] : text.split(`"${mark}`);
  return others.reduce((whole, piece) => {
    const end = piece.indexOf('"');
    return `${whole}"${pictures[Number(piece.slice(0, end))]}${piece.slice(end)}`;
  }, first);
}

/** JSON of a value that may hold large images. */
export function jsonOf(value: object): string {
  const { rest, pictures } = withoutPictures(value);
  return withPictures(JSON.stringify(rest), pictures);
}

/** Whether a text is base64, either plain or in a data URI whose head needs no escapes. */
function isPicture(text: string): boolean {
  const comma = text.slice(0, maxHeadLength).indexOf(',');
  return isBase64(text, comma + 1) && /^[\w:;/.+,-]*$/.test(text.slice(0, comma + 1));
}
