/** Splits a JSON array that arrives in pieces into its items, as texts. Text outside an array is no item. */
export class ArrayItems {
  #held = '';
  #at = 0;
  #start = -1;
  #depth = 0;
  #isInString = false;
  readonly #decoder = new TextDecoder('utf-8');

  /** The items that are whole with these bytes. */
  push(bytes: Uint8Array): string[] {
    this.#held += this.#decoder.decode(bytes, { stream: true });
    const items: string[] = [];
    for (; this.#at < this.#held.length; this.#at += 1) {
      const letter = this.#held[this.#at] ?? '';
      if (this.#isInString) this.#skipInString(letter);
      else if (letter === '"') this.#isInString = true;
      else if (letter === '{' || letter === '[') this.#open();
      else if (letter === '}' || letter === ']') {
        this.#depth -= 1;
        if (this.#depth === 1 && this.#start >= 0) items.push(this.#taken());
      }
    }
    return items;
  }

  #skipInString(letter: string): void {
    if (letter === '\\') this.#at += 1;
    else if (letter === '"') this.#isInString = false;
  }

  #open(): void {
    if (this.#depth === 1) this.#start = this.#at;
    this.#depth += 1;
  }

  #taken(): string {
    const item = this.#held.slice(this.#start, this.#at + 1);
    this.#held = this.#held.slice(this.#at + 1);
    this.#at = -1;
    this.#start = -1;
    return item;
  }
}

/** An item as one server-sent event; line breaks in JSON are blanks. */
export function eventOf(item: string): string {
  return `data: ${item.replaceAll(/[\r\n]+/g, ' ')}`;
}
