/** The line ends that a head may have, as bytes. */
const lineFeed = 0x0a;
const name = 'host:';

/**
 * Puts the host of the deployment in place of that of the proxy, and lets every other byte of a request through at once.
 * It holds back only a line that may become the `Host` field.
 */
export class HostField {
  readonly #host: string;
  #held: Buffer = Buffer.alloc(0);
  #isWithinLine = false;

  constructor(host: string) {
    this.#host = host;
  }

  /** A piece of a head. Returns what may be sent by now. */
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

  /** What was held back, when nothing follows. */
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

/** Whether a line that goes on is the field, or may still become it. */
function mayBecomeHost(line: Buffer): boolean {
  return name.startsWith(startOf(line));
}
