import type { Verdict } from '../report.ts';
import { counted, verdictWords } from '../verdict-words.ts';
import { html, type Markup } from './markup.ts';

/** A verdict as a word with its own mark and colour, so that none of the three is needed alone. */
export function badge(verdict: Verdict, count?: number): Markup {
  const { glyph, label, meaning } = verdictWords[verdict];
  return html`<span class="badge is-${verdict}" title="${meaning}"><i aria-hidden="true">${glyph}</i>${count === undefined ? label : counted(verdict, count)}</span>`;
}

/** An address inside the page; ids of checks and requirements may hold any character. */
export function anchor(kind: 'check' | 'requirement' | 'failure' | 'others', id: string): string {
  return `${kind}-${id.replace(/[^\w.-]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`)}`;
}
