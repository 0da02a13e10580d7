import type { Verdict } from '../report.ts';
import { counted, verdictWords } from '../verdict-words.ts';
import { html, type Markup } from './markup.ts';

/** A verdict as word, mark and colour, so that no reader depends on colour alone. */
export function badge(verdict: Verdict, count?: number): Markup {
  const { glyph, label, meaning } = verdictWords[verdict];
  return html`<span class="badge is-${verdict}" title="${meaning}"><i aria-hidden="true">${glyph}</i>${count === undefined ? label : counted(verdict, count)}</span>`;
}

/** The anchor of a failure of a check. Only the first failure is linked from elsewhere. */
export function failureAnchor({ id, nth }: { readonly id: string; readonly nth: number }): string {
  return anchor('failure', nth === 0 ? id : `${id} ${nth}`);
}

/** An anchor inside the page; ids of checks and requirements may contain any character. */
export function anchor(kind: 'check' | 'requirement' | 'failure' | 'others', id: string): string {
  return `${kind}-${id.replace(/[^\w.-]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`)}`;
}
