/**
 * HTML that is escaped by construction: an `html` template treats every value as text, unless another `html`
 * template made it. A report that is read from a file therefore cannot inject markup.
 */

const specials: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const unsafe = /[&<>"']|[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A piece of finished HTML. Only this file makes one. */
export class Markup {
  readonly #text: string;

  constructor(text: string, proof: typeof seal) {
    if (proof !== seal) throw new TypeError('markup is made by the html template');
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

const seal = Symbol('markup');

/**
 * The values that a template accepts. Text and numbers are escaped, null and false add nothing, lists are joined.
 */
export type Part = Markup | string | number | null | false | readonly Part[];

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  parts.forEach((part, index) => {
    text += render(part) + (strings[index + 1] ?? '');
  });
  return new Markup(text, seal);
}

/** Marks our own text (style, script) as safe: it goes into the page unescaped. */
export function trusted(text: string): Markup {
  return new Markup(text, seal);
}

/**
 * Escapes text for element content and quoted attributes, and makes control characters visible. Terminal escapes
 * become control pictures. Characters that change the text direction become their code, so they cannot reorder
 * the page.
 */
export function escapeHtml(text: string): string {
  return text.toWellFormed().replace(unsafe, (character) => specials[character] ?? visible(character));
}

function render(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Markup) return part.toString();
  if (Array.isArray(part)) return part.map(render).join('');
  return escapeHtml(String(part));
}

function visible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.codePointAt(0) ?? 0;
  if (character === '\r') return '';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
