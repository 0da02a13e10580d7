import { StringDecoder } from 'node:string_decoder';

/** Splits the bytes of an event stream into events as they arrive. */
export class EventSplitter {
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  /** The events that are complete now, each without its blank line. */
  push(bytes: Buffer): string[] {
    this.#rest += this.#decoder.write(bytes);
    const events: string[] = [];
    for (let end = blankLine.exec(this.#rest); end !== null; end = blankLine.exec(this.#rest)) {
      events.push(this.#rest.slice(0, end.index).replaceAll(/\r\n|\r/g, '\n'));
      this.#rest = this.#rest.slice(end.index + end[0].length);
    }
    return events;
  }

  /** The rest of a stream that ended without a blank line. */
  end(): string {
    return this.#rest + this.#decoder.end();
  }
}

const blankLine = /\r\n\r\n|\n\n|\r\r/;
