/** The line end of a head, as a byte. */
const lineFeed = 0x0a;
const name = 'host:';

/**
 * Replaces the proxy's host by the deployment's, and passes every other byte of a request at once. It holds back only a line
 * that may become the `Host` field.
 */
export class HostField {
  readonly #host: string;
  #held: Buffer = Buffer.alloc(0);
  #isWithinLine = false;

  constructor(host: string) {
    this.#host = host;
  }

  /** Takes a piece of a head. Returns the bytes that may be sent now. */
  pass(bytes: Buffer): Buffer {
    const parts: Buffer[] = [];
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = Buffer.alloc(0);
    while (rest.length > 0) {
      const end = rest.indexOf(lineFeed);
      const line = end < 0 ? rest : rest.subarray(0, end + 1);
      if (!this.#isWithinLine && end < 0 && mayBecomeHost(line)) {
        this.#held = Buffer.from(line);
        break;
      }
      const isHost = !this.#isWithinLine && startOf(line) === name;
      parts.push(isHost ? Buffer.from(`${line.toString('latin1', 0, name.length)} ${this.#host}\r\n`) : line);
      this.#isWithinLine = end < 0;
      rest = rest.subarray(line.length);
    }
    return Buffer.concat(parts);
  }

  /** The held bytes, when nothing follows. */
  flush(): Buffer {
    const held = this.#held;
    this.#isWithinLine = false;
    this.#held = Buffer.alloc(0);
    return held;
  }
}

function startOf(line: Buffer): string {
  return line.toString('latin1', 0, name.length).toLowerCase();
}

/** Whether an incomplete line is the `Host` field, or may still become it. */
function mayBecomeHost(line: Buffer): boolean {
  return name.startsWith(startOf(line));
}
