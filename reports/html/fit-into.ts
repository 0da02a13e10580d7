import type { Markup } from './markup.ts';

/** A form in which to draw an item, used as long as the total is at most `upTo` bytes. */
export interface Form<T> {
  readonly upTo: number;
  readonly draw: (item: T) => Markup;
}

export interface Fitted<T> {
  readonly drawn: readonly Markup[];
  /** Number of items drawn in each form. */
  readonly counts: readonly number[];
  /** Items that did not fit in any form. */
  readonly left: readonly T[];
}

/** Draws each item in the first form that fits: a page must stay small, whatever a run found. */
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
