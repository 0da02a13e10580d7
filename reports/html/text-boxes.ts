import { prettyJson } from '../pretty-json.ts';
import { html, type Markup } from './markup.ts';

const longestBody = 16_384;
const eventStream = /^data:/m;
const jsonParts = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|\btrue\b|\bfalse\b|\bnull\b)/g;

/** A line to copy to the clipboard. The script adds the button; without scripts the text can be selected. */
export function copyBox(title: string, text: string): Markup {
  return html`<div class="copy"><p class="title">${title}</p><pre><code>${text}</code></pre></div>`;
}

/**
 * A body: indented if it is JSON, otherwise unchanged, and cut if it is huge. Lines that `other` lacks are marked. Compared
 * with the positive twin, this shows the one fault of a request.
 */
export function bodyBox(body: string, other: string | null): Markup {
  if (body === '') return html`<p class="muted">(no body)</p>`;
  const pretty = prettyJson(body);
  const whole = pretty ?? body.trimEnd();
  const shown = whole.slice(0, longestBody);
  const paint =
    pretty === null && !eventStream.test(body) ? (line: string): Markup => html`${line}` : paintJson;
  const known = other === null ? null : linesOf(prettyJson(other) ?? other);
  const lines = shown
    .split('\n')
    .map((line) =>
      known === null || isKnown(known, line) ? html`${paint(line)}\n` : html`<mark>${paint(line)}</mark>\n`,
    );
  const rest = whole.length - shown.length;
  return html`<pre class="body" tabindex="0"><code>${lines}</code></pre>${
    rest > 0 && html`<p class="muted">cut here: ${rest} more characters</p>`
  }`;
}

/** A value as text, indented when it is JSON. */
export function valueBox(text: string): Markup {
  const pretty = /^\s*[[{]/.test(text) ? prettyJson(text) : null;
  return pretty === null
    ? html`<p class="value" dir="auto">${text}</p>`
    : html`<pre class="body" tabindex="0"><code>${pretty.split('\n').map((line) => html`${paintJson(line)}\n`)}</code></pre>`;
}

function paintJson(line: string): Markup {
  const parts: Markup[] = [];
  let end = 0;
  for (const match of line.matchAll(jsonParts)) {
    const [whole, text, colon, scalar] = match;
    parts.push(html`${line.slice(end, match.index)}`);
    if (scalar !== undefined) parts.push(html`<span class="jn">${scalar}</span>`);
    else if (colon !== undefined) parts.push(html`<span class="jk">${text ?? ''}</span>${colon}`);
    else parts.push(html`<span class="js">${text ?? ''}</span>`);
    end = match.index + whole.length;
  }
  return html`${parts}${line.slice(end)}`;
}

/** Counts identical lines; trailing commas are ignored as layout. */
function linesOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) {
    const key = line.replace(/,$/, '');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function isKnown(known: Map<string, number>, line: string): boolean {
  const key = line.replace(/,$/, '');
  const left = known.get(key) ?? 0;
  known.set(key, left - 1);
  return left > 0;
}
