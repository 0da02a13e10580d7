import type { Markup } from './markup.ts';

/** A way to draw something, as long as all that is drawn so far and it are no longer than `upTo`, bytes. */
export interface Form<T> {
  readonly upTo: number;
  readonly draw: (item: T) => Markup;
}

export interface Fitted<T> {
  readonly drawn: readonly Markup[];
  /** How many were drawn in each form. */
  readonly counts: readonly number[];
  /** For what there was no room in any form. */
  readonly left: readonly T[];
}

/** Draws each item in the first form in which there is room for it: a page has to stay small, whatever a run found. */
export function fitInto<T>(items: readonly T[], forms: readonly Form<T>[]): Fitted<T> {
  const drawn: Markup[] = [];
  const counts = forms.map(() => 0);
  const left: T[] = [];
  let length = 0;
  for (const item of items) {
    const at =
      left.length > 0
        ? -1
        : forms.findIndex(({ upTo, draw }) => {
            if (length >= upTo) return false;
            const markup = draw(item);
            const bytes = Buffer.byteLength(markup.toString());
            if (length + bytes > upTo) return false;
            length += bytes;
            drawn.push(markup);
            return true;
          });
    if (at < 0) left.push(item);
    else counts[at] = (counts[at] ?? 0) + 1;
  }
  return { drawn, counts, left };
}
