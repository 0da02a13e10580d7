import { isObject, parseBounded } from '../http/parse-json.ts';

/** The arguments of a call without any, as callers can parse them. */
const noArguments = '{}';

/** What some servers append to complete arguments: white space, or brackets that close nothing. */
const stray = /^[\s}\]]*$/;

/** An object whose first name has just been opened. */
const opening = /^\s*\{\s*"$/;

/**
 * The arguments of one call, put together from their fragments. Callers expect the text of one JSON object. Servers differ:
 * - Each fragment repeats the arguments so far, or the last one repeats them whole. Only what is new is passed on.
 * - The first fragment is `{}`, and the arguments follow it.
 * - Arguments are encoded twice, or their absence is an empty text, `null` or an empty list.
 * - More brackets follow than were opened.
 * Anything else is passed on unchanged, as the model wrote it (fault M14).
 */
export class ArgumentText {
  /** All arguments so far. */
  #given = '';
  /** Text that waits for the next fragment or for the end. */
  #held = '';
  /** `closed`: the object is complete. `other`: passed on unchanged. */
  #kind: 'unknown' | 'waiting' | 'object' | 'closed' | 'other' = 'unknown';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** All arguments so far, without repetitions. */
  get given(): string {
    return this.#given;
  }

  /** Whether the arguments are a complete object. */
  get isWhole(): boolean {
    return this.#kind === 'closed';
  }

  /** Whether nothing has been passed on yet. */
  get isOpen(): boolean {
    return this.#kind === 'unknown' || this.#held !== '';
  }

  /** Whether a fragment brings the complete arguments once more. */
  isRepeatedBy(fragment: string): boolean {
    return this.isWhole && fragment === this.#given;
  }

  /** Takes a fragment; the text that can be passed on now. */
  take(fragment: string): string {
    if (fragment === '' || this.isRepeatedBy(fragment)) return '';
    if (this.#held === noArguments && fragment.startsWith('{')) this.#restart();
    const text = this.#isAllSoFar(fragment) ? fragment.slice(this.#given.length) : fragment;
    this.#given += text;
    if (this.#kind === 'unknown') return this.#begin(text);
    if (this.#kind === 'waiting') {
      this.#held += text;
      return '';
    }
    const rest = this.#held + this.#within(text);
    this.#held = '';
    return rest;
  }

  /** The text that was held back until the end. */
  close(): string {
    const held = this.#held;
    this.#held = '';
    if (this.#kind === 'unknown') {
      this.#given = noArguments;
      this.#kind = 'closed';
      return noArguments;
    }
    return this.#kind === 'waiting' ? withoutQuotes(held) : held;
  }

  /** Behind `{`, no further part of the same object begins with all that came before; an opened name may come twice. */
  #isAllSoFar(fragment: string): boolean {
    const isSame = fragment === this.#given;
    return this.#kind === 'object' && fragment.startsWith(this.#given) && !(isSame && opening.test(fragment));
  }

  #restart(): void {
    this.#given = '';
    this.#held = '';
    this.#kind = 'unknown';
  }

  /** The first character that is no white space shows what comes. */
  #begin(text: string): string {
    this.#held += text;
    // All that was held so far is white space.
    const first = text.trimStart().at(0);
    if (first === undefined) return '';
    if ('"[n'.includes(first)) {
      this.#kind = 'waiting';
      return '';
    }
    this.#kind = first === '{' ? 'object' : 'other';
    const all = this.#within(this.#held);
    this.#held = all === noArguments ? all : '';
    return all === noArguments ? '' : all;
  }

  /** The text without brackets behind the object. */
  #within(text: string): string {
    if (this.#kind === 'object') {
      const end = this.#endIn(text);
      if (end === -1) return text;
      this.#kind = 'closed';
      return stray.test(text.slice(end)) ? text.slice(0, end) : text;
    }
    return this.#kind === 'closed' && stray.test(text) ? '' : text;
  }

  /** Where the object ends; -1 if it goes on. Reads each character once. */
  #endIn(text: string): number {
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString) {
        this.#isEscaped = character === '\\';
        this.#isInString = character !== '"';
      } else if (character === '"') this.#isInString = true;
      else if (character === '{' || character === '[') this.#depth += 1;
      else if (character === '}' || character === ']') this.#depth -= 1;
      if (this.#depth === 0 && !this.#isInString && character === '}') return at + 1;
    }
    return -1;
  }
}

/** Whole arguments as callers can parse them. */
export function argumentText(whole: string): string {
  const text = new ArgumentText();
  return text.take(whole) + text.close();
}

/** The object in a text that was encoded twice, or in a value that stands for none; else the text itself. */
function withoutQuotes(text: string): string {
  const value = parseBounded(text);
  if (value === null || (Array.isArray(value) && value.length === 0)) return noArguments;
  if (typeof value !== 'string') return text;
  if (value.trim() === '') return noArguments;
  return isObject(parseBounded(value)) ? value : text;
}
