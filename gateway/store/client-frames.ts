/**
 * A unit of client messages, after which the single session may serve another client. `messages` is a run of protocol
 * messages that must reach the session together. `closesSequence` is true if PostgreSQL reports ready after the last message:
 * a query, or the Sync of a parse-bind-execute sequence.
 */
export type ClientUnit =
  | { kind: 'messages'; bytes: Uint8Array; closesSequence: boolean }
  | { kind: 'encryption-request' }
  | { kind: 'goodbye' };

/** A client violates the protocol, or sends a message over the size limit. */
export class BadClientFrame extends Error {
  override name = 'BadClientFrame';
}

const cancelRequest = 80877102;
const sslRequest = 80877103;
const gssRequest = 80877104;
const protocolMajor = 3;
const maxMessageBytes = 64 * 1024 * 1024;

const query = 0x51;
const sync = 0x53;
const flush = 0x48;
const functionCall = 0x46;
const terminate = 0x58;

/** Reads one client's byte stream; each connection has its own instance. */
export class ClientFrames {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #started = false;
  /** Bytes at the front of the buffer that are complete messages of the current unit. */
  #collected = 0;
  /** Number of bytes needed before parsing can continue. Avoids joining the chunks of a long message repeatedly. */
  #needed = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** The next whole unit, or null until more bytes arrive. Throws BadClientFrame. */
  next(): ClientUnit | null {
    if (this.#bytes < this.#needed) {
      return null;
    }
    return this.#started ? this.#nextStarted() : this.#nextBeforeStart();
  }

  #nextStarted(): ClientUnit | null {
    for (;;) {
      const length = this.#wholeMessage(this.#collected, 1);
      if (length === null) {
        return null;
      }
      const type = this.#flat()[this.#collected];
      this.#collected += length;
      if (type === terminate) {
        return { kind: 'goodbye' };
      }
      if (type === flush) {
        return this.#cut(false);
      }
      if (type === query || type === sync || type === functionCall) {
        return this.#cut(true);
      }
    }
  }

  /** Before the start-up message there is no type byte, only a length and a code. */
  #nextBeforeStart(): ClientUnit | null {
    const length = this.#wholeMessage(0, 0);
    if (length === null) {
      return null;
    }
    if (length < 8) {
      throw new BadClientFrame('a start-up message is too short');
    }
    const code = this.#flat().readUInt32BE(4);
    this.#collected = length;
    const unit = this.#cut(true);
    if (code === sslRequest || code === gssRequest) {
      return { kind: 'encryption-request' };
    }
    if (code === cancelRequest) {
      return { kind: 'goodbye' };
    }
    if (code >>> 16 !== protocolMajor) {
      throw new BadClientFrame('an unknown protocol version');
    }
    this.#started = true;
    return unit;
  }

  /** Length of the message at `start`, including its type byte; null while it is incomplete. */
  #wholeMessage(start: number, typeBytes: number): number | null {
    const head = start + typeBytes + 4;
    if (this.#bytes < head) {
      this.#needed = head;
      return null;
    }
    const stated = this.#flat().readUInt32BE(start + typeBytes);
    if (stated < 4 || stated > maxMessageBytes) {
      throw new BadClientFrame('a message length out of range');
    }
    const length = typeBytes + stated;
    if (this.#bytes < start + length) {
      this.#needed = start + length;
      return null;
    }
    return length;
  }

  #cut(closesSequence: boolean): ClientUnit {
    const flat = this.#flat();
    const bytes = Uint8Array.from(flat.subarray(0, this.#collected));
    const rest = flat.subarray(this.#collected);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    this.#collected = 0;
    this.#needed = 0;
    return { kind: 'messages', bytes, closesSequence };
  }

  #flat(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) {
      return first;
    }
    const flat = Buffer.concat(this.#chunks, this.#bytes);
    this.#chunks = [flat];
    return flat;
  }
}
