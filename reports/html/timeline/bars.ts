import type { BreakerSpan, TimelineRow } from '../../failure-timeline.ts';
import { html, type Markup } from '../markup.ts';
import type { Axis } from './axis.ts';

/** A bar: thin until the first byte, thick from then on, with strokes for the pieces. */
export function bar(
  row: TimelineRow,
  axis: Axis,
  { at, isMoment }: { readonly at: number; readonly isMoment: boolean },
): Markup {
  const endMs = row.to_ms ?? Math.max(row.from_ms, axis.to);
  const firstMs = Math.min(endMs, row.first_byte_ms ?? endMs);
  const [from, first, to] = [row.from_ms, firstMs, endMs].map(axis.place) as [number, number, number];
  const pieces = new Set((row.pieces_ms ?? []).map(axis.place));
  return frame(
    axis,
    at,
    html`<rect class="wait" x="${Math.min(from, 996)}" y="8" width="${Math.max(4, first - from)}" height="4"/>${
      row.first_byte_ms !== null &&
      html`<rect class="send" x="${Math.min(first, 994)}" y="4" width="${Math.max(6, to - first)}" height="12"/>`
    }${[...pieces].map((x) => html`<path class="piece" d="M${x} 4V16"/>`)}${
      isMoment && html`<path class="mark" d="M${momentOn(axis, at)} 0V20"/>`
    }`,
  );
}

/** The time in which a channel must not be called. */
export function breakerBar({ from_ms: from, to_ms: to }: BreakerSpan, axis: Axis, at: number): Markup {
  const [left, right] = [axis.place(from), axis.place(to)];
  return frame(
    axis,
    at,
    html`<rect class="rest" x="${Math.min(left, 994)}" y="3" width="${Math.max(6, right - left)}" height="14"/>`,
  );
}

/** The text next to a bar contains all that it shows. Lines across all rows grow with a row that is opened; bars do not. */
function frame(axis: Axis, at: number, body: Markup): Markup {
  return html`${picture('across', html`${axis.cuts.map((cut) => html`<path class="cut" d="M${cut} 0V20"/>`)}<path class="now" d="M${momentOn(axis, at)} 0V20"/>`)}${picture('own', body)}`;
}

function picture(name: string, body: Markup): Markup {
  return html`<svg class="${name}" viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true">${body}</svg>`;
}

/** The position of the moment, moved inwards so that its stroke is not cut at the edge. */
function momentOn(axis: Axis, at: number): number {
  return Math.min(996, Math.max(4, axis.place(at)));
}
