/** How many bodies are remembered, and how large they may be: the last requests of a load, not its pictures. */
const maxBodies = 64;
const maxBytes = 32 * 1024;

/** What was made of the last bodies. Callers send the same request many times: in loads, in races, after failures. */
export class LastBodies<T> {
  readonly #make: (body: Buffer) => T;
  readonly #made = new Map<string, T>();

  /** What `make` returns is shared by all who send that body. */
  constructor(make: (body: Buffer) => T) {
    this.#make = make;
  }

  of(body: Buffer): T {
    if (body.length > maxBytes) return this.#make(body);
    // Latin1 maps every byte to one character, so no two bodies are alike.
    const bytes = body.toString('latin1');
    const known = this.#made.get(bytes);
    if (known !== undefined) return known;
    const made = this.#make(body);
    if (this.#made.size >= maxBodies) this.#forgetOldest();
    this.#made.set(bytes, made);
    return made;
  }

  #forgetOldest(): void {
    for (const oldest of this.#made.keys()) {
      this.#made.delete(oldest);
      return;
    }
  }
}
