/** Shows the progress of a proof on stderr: one moving line on a terminal, elsewhere a line for each tenth of a part. */
export class ProofProgress {
  readonly #out: NodeJS.WriteStream;
  readonly #moving: boolean;
  #runs = 0;
  #done = 0;
  #title = '';

  constructor(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.#out = out;
    this.#moving = out.isTTY === true && !env.CI;
  }

  /** A part of the work begins. */
  part(runs: number, title: string): void {
    this.#runs = runs;
    this.#done = 0;
    this.#title = title;
    if (!this.#moving) this.#out.write(`${runs} runs: ${title}\n`);
  }

  /** One run of the part has ended. */
  step(): void {
    this.#done += 1;
    const line = `[${this.#done}/${this.#runs}] ${this.#title}`;
    if (!this.#moving) {
      const tenth = Math.max(100, Math.ceil(this.#runs / 10));
      if (this.#done % tenth === 0) this.#out.write(`${line}\n`);
      return;
    }
    this.#out.write(`\r\u001b[2K${line.slice(0, Math.max(20, (this.#out.columns ?? 80) - 1))}`);
  }

  end(): void {
    if (this.#moving) this.#out.write('\r\u001b[2K');
  }
}
