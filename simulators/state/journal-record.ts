import type { DrawsEntry, Ended, FaultEntry, JournalEntry, Send } from '../control/protocol.ts';
import type { Draws } from '../scenarios/draws.ts';
import type { Redaction } from './redaction.ts';

/** What is known of a request when its head has arrived. */
export interface Arrival {
  readonly channel: string;
  readonly method: string;
  readonly path: string;
  readonly headers: [string, string][];
  readonly atMs: number;
}

/** One request as it goes along. */
export class JournalRecord {
  readonly n: number;
  readonly channel: string;
  readonly #tenant: string;
  readonly #arrival: Arrival;
  readonly #onChange: (bytes: number, more: number) => void;
  readonly #requestBody: Buffer[] = [];
  readonly #replyBody: Buffer[] = [];
  readonly #sends: Send[] = [];
  readonly #markers = new Map<string, boolean>();
  /** Whether it still counts among the entries of its tenant. */
  isHeld = true;
  readonly #headBytes: number;
  #requestBytes = 0;
  #replyBytes = 0;
  #complete = false;
  #script: string | null = null;
  #fault: FaultEntry | null = null;
  #draws: { readonly draws: Draws; readonly disturbedBy: string | null } | null = null;
  #status: number | null = null;
  #waitingAt: string | null = null;
  #ended: Ended = 'open';
  #endedAtMs: number | null = null;

  /** `onChange` is told how many bytes of bodies were added, and how many of anything else. */
  constructor(tenant: string, n: number, arrival: Arrival, onChange: (bytes: number, more: number) => void) {
    this.n = n;
    this.channel = arrival.channel;
    this.#tenant = tenant;
    this.#arrival = arrival;
    this.#onChange = onChange;
    const { path, headers } = arrival;
    this.#headBytes = headers.reduce(
      (sum, [name, value]) => sum + name.length + value.length + bytesOfHeader,
      bytesOfEntry + path.length,
    );
  }

  /** The request target. */
  get path(): string {
    return this.#arrival.path;
  }

  get bodyBytes(): number {
    return this.#requestBytes + this.#replyBytes;
  }

  /** Everything that is kept of the request, roughly. */
  get heldBytes(): number {
    return this.bodyBytes + this.#headBytes + this.#sends.length * bytesOfSend;
  }

  get isComplete(): boolean {
    return this.#complete;
  }

  get waitingAt(): string | null {
    return this.#waitingAt;
  }

  get ended(): Ended {
    return this.#ended;
  }

  /** Always false while the body is still arriving. */
  requestContains(marker: string): boolean {
    if (!this.#complete && this.#ended === 'open') return false;
    // Everybody who waits asks again at every change, and bodies can be large.
    const known = this.#markers.get(marker);
    if (known !== undefined) return known;
    const found = this.requestBody().includes(marker);
    if (this.#markers.size >= maxMarkers) this.#markers.clear();
    this.#markers.set(marker, found);
    return found;
  }

  requestBody(): Buffer {
    if (this.#requestBody.length > 1) this.#requestBody.splice(0, Infinity, Buffer.concat(this.#requestBody));
    return this.#requestBody[0] ?? Buffer.alloc(0);
  }

  received(chunk: Buffer): void {
    this.#requestBody.push(chunk);
    this.#requestBytes += chunk.length;
    this.#onChange(chunk.length, 0);
  }

  receivedAll(): void {
    this.#complete = true;
    this.#onChange(0, 0);
  }

  answeredBy(script: string | null): void {
    this.#script = script;
  }

  /** The fault that befalls the answer. */
  faultedBy(fault: FaultEntry): void {
    this.#fault = fault;
  }

  /** What decided on the draws, and the arm or the part of a scenario that befell the request. */
  drew(draws: Draws, disturbedBy: string | null): void {
    this.#draws = { draws, disturbedBy };
  }

  sentHead(status: number, send: Send): void {
    this.#status = status;
    this.#sends.push(send);
    this.#onChange(0, bytesOfSend);
  }

  sent(send: Send, bytes: Buffer): void {
    this.#sends.push(send);
    this.#replyBody.push(bytes);
    this.#replyBytes += bytes.length;
    this.#onChange(bytes.length, bytesOfSend);
  }

  /** A write past HTTP. A flood is counted, and its beginning kept. */
  sentWire(send: Send, bytes: Buffer): void {
    this.#status ??= statusIn(bytes);
    const isKept = this.#sends.length < maxWireSends;
    if (isKept) this.#sends.push(send);
    const kept = bytes.subarray(0, Math.max(0, maxWireBytes - this.#replyBytes));
    if (kept.length > 0) this.#replyBody.push(kept);
    this.#replyBytes += kept.length;
    this.#onChange(kept.length, isKept ? bytesOfSend : 0);
  }

  waits(at: string | null): void {
    this.#waitingAt = at;
    this.#onChange(0, 0);
  }

  /** The first ending counts: a cut connection also closes, and that is not a client that left. */
  end(how: Exclude<Ended, 'open'>, atMs: number): void {
    if (this.#ended !== 'open') return;
    this.#ended = how;
    this.#endedAtMs = atMs;
    this.#waitingAt = null;
    this.#onChange(0, 0);
  }

  toEntry(redaction: Redaction): JournalEntry {
    const { channel, method, path, headers, atMs } = this.#arrival;
    return {
      n: this.n,
      lane: this.#tenant,
      channel,
      received_at_ms: atMs,
      request: {
        method,
        path: redaction.text(path),
        headers: headers.map(([name, value]) => [name, redaction.text(value)]),
        body_base64: redaction.bytes(this.requestBody()).toString('base64'),
        complete: this.#complete,
      },
      reply: {
        script: this.#script,
        ...(this.#fault === null ? {} : { fault: this.#fault }),
        ...(this.#draws === null ? {} : { draws: drawsEntry(this.#draws) }),
        status: this.#status,
        waiting_at: this.#waitingAt,
        sends: [...this.#sends],
        body_base64: redaction.bytes(Buffer.concat(this.#replyBody)).toString('base64'),
        ended: this.#ended,
        ended_at_ms: this.#endedAtMs,
      },
    };
  }
}

/** What objects take beside the bytes in them, roughly. */
const bytesOfEntry = 2048;
const bytesOfHeader = 100;
const bytesOfSend = 200;

/** Markers that somebody asked for, with the answer. */
const maxMarkers = 100;

/** What is kept of one answer that is written past HTTP: enough to recognise it, whatever it floods. */
const maxWireBytes = 1024 * 1024;
const maxWireSends = 100_000;

/** The status of a head that begins the bytes; null for what announces one, or is none. */
function statusIn(bytes: Buffer): number | null {
  const status = /^HTTP\/1\.[01] ([2-9]\d\d)/.exec(bytes.toString('latin1', 0, 12))?.[1];
  return status === undefined ? null : Number(status);
}

function drawsEntry({ draws, disturbedBy }: { draws: Draws; disturbedBy: string | null }): DrawsEntry {
  const { seed, scenario, tenant: scope, route, nth } = draws.of;
  return { seed, scenario, scope, route, nth, disturbed_by: disturbedBy, drawn: { ...draws.drawn } };
}
