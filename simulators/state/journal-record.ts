import type { Frame } from '../answers/native-answer.ts';
import type { Ended, FaultEntry, JournalEntry, Send } from '../control/journal.ts';
import type { SentHeaders } from '../http/sent-headers.ts';
import type { Draws } from '../scenarios/draws.ts';
import type { Redaction } from './redaction.ts';
import { shownBody } from './redaction.ts';
import { atMsOf, drawsEntry, headIn, type SentFrames, type SentHead, sendsOf } from './sent.ts';
import type { SentText } from './sent-text.ts';

/** The facts of a request that are known once its head has arrived. */
export interface Arrival {
  readonly channel: string;
  readonly method: string;
  readonly path: string;
  readonly headers: SentHeaders;
  readonly atMs: number;
}

/** What a record belongs to. */
export interface RecordHolder {
  /** Called with the number of bytes that were added to the record: of bodies, and of anything else. */
  changed(record: JournalRecord, bytes: number, more: number): void;
}

/** The journal's record of one request, updated while the request is served. */
export class JournalRecord {
  readonly n: number;
  readonly channel: string;
  readonly #tenant: string;
  readonly #arrival: Arrival;
  readonly #holder: RecordHolder;
  readonly #requestBody: Buffer[] = [];
  /** The body that was sent piece by piece. */
  #replyBody: Buffer[] | null = null;
  #sends: (Send | SentFrames)[] | null = null;
  /** The answer that was sent in one write. */
  #whole: SentText | null = null;
  #sent = 0;
  #markers: Map<string, boolean> | null = null;
  /** Whether the journal of its tenant still holds it. */
  isHeld = true;
  readonly #headBytes: number;
  #requestBytes = 0;
  #replyBytes = 0;
  #complete = false;
  #script: string | null = null;
  #fault: FaultEntry | null = null;
  #variants: readonly string[] = [];
  #provider: string | null = null;
  #draws: { readonly draws: Draws; readonly disturbedBy: string | null } | null = null;
  #head: SentHead | null = null;
  #waitingAt: string | null = null;
  #ended: Ended = 'open';
  #endedAtMs: number | null = null;

  constructor(tenant: string, n: number, arrival: Arrival, holder: RecordHolder) {
    this.n = n;
    this.channel = arrival.channel;
    this.#tenant = tenant;
    this.#arrival = arrival;
    this.#holder = holder;
    const { path, headers } = arrival;
    this.#headBytes = bytesOfEntry + path.length + headers.characters + headers.count * bytesOfHeader;
  }

  /** The request target. */
  get path(): string {
    return this.#arrival.path;
  }

  get bodyBytes(): number {
    return this.#requestBytes + this.#replyBytes;
  }

  /** Approximate size of everything kept of the request. */
  get heldBytes(): number {
    return this.bodyBytes + this.#headBytes + this.#sent * bytesOfSend;
  }

  get arrival(): Arrival {
    return this.#arrival;
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

  /** Whether the body contains the marker. Always false while the body is still arriving. */
  requestContains(marker: string): boolean {
    if (!this.#complete && this.#ended === 'open') return false;
    // Cached, because every waiting query asks again at every change, and bodies can be large.
    this.#markers ??= new Map();
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

  /** The bytes sent so far, as latin1 text. */
  replyText(): string {
    return Buffer.concat(this.#replyParts()).toString('latin1');
  }

  #replyParts(): readonly Buffer[] {
    return this.#whole === null ? (this.#replyBody ?? []) : [this.#whole.body];
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

  /** Records the fault that was applied to the answer. */
  faultedBy(fault: FaultEntry): void {
    this.#fault = fault;
  }

  /** Records the variants of its dialect whose form the answer has. */
  variedBy(variants: readonly string[]): void {
    this.#variants = variants;
  }

  /** Records the origin of the real provider that answers. */
  passedTo(origin: string): void {
    this.#provider = origin;
  }

  /** Records the seeds of the draws, and the fault that was set or the part of a scenario that disturbed the request. */
  drew(draws: Draws, disturbedBy: string | null): void {
    this.#draws = { draws, disturbedBy };
  }

  sentHead(head: SentHead, send: Send): void {
    this.#head = head;
    this.#add(send);
    this.#onChange(0, bytesOfSend);
  }

  /** Records a whole answer with its head. */
  sentWhole(head: SentHead, whole: SentText): void {
    this.#head = head;
    this.#whole = whole;
    this.#sent = 1 + whole.frames;
    this.#replyBytes = whole.bytes;
    this.#onChange(whole.bytes, this.#sent * bytesOfSend);
  }

  sent(send: Send, bytes: Buffer): void {
    this.#add(send);
    this.#keep(bytes);
    this.#onChange(bytes.length, bytesOfSend);
  }

  sentTogether(frames: readonly Frame[], startMs: number, atMs: number): void {
    this.#add({ frames, startMs, atMs }, frames.length);
    const before = this.#replyBytes;
    for (const { bytes } of frames) this.#keep(bytes);
    this.#onChange(this.#replyBytes - before, frames.length * bytesOfSend);
  }

  /** Records a raw write. Of a flood all bytes are counted, but only the beginning is kept. */
  sentWire(send: Send, bytes: Buffer): void {
    this.#head ??= headIn(bytes);
    const isKept = this.#sent < maxWireSends;
    if (isKept) this.#add(send);
    const kept = bytes.subarray(0, Math.max(0, maxWireBytes - this.#replyBytes));
    if (kept.length > 0) this.#keep(kept);
    this.#onChange(kept.length, isKept ? bytesOfSend : 0);
  }

  waits(at: string | null): void {
    this.#waitingAt = at;
    this.#onChange(0, 0);
  }

  /** Only the first ending counts. After our own cut, the connection also closes; this is no client disconnect. */
  end(how: Exclude<Ended, 'open'>, atMs: number): void {
    if (this.#ended !== 'open') return;
    this.#ended = how;
    this.#endedAtMs = atMs;
    this.#waitingAt = null;
    this.#onChange(0, 0);
  }

  #add(sent: Send | SentFrames, sends = 1): void {
    this.#sends ??= [];
    this.#sends.push(sent);
    this.#sent += sends;
  }

  #keep(bytes: Buffer): void {
    this.#replyBody ??= [];
    this.#replyBody.push(bytes);
    this.#replyBytes += bytes.length;
  }

  #onChange(bytes: number, more: number): void {
    this.#holder.changed(this, bytes, more);
  }

  /** The facts of the answer so far, without its bytes. */
  get outline() {
    return {
      script: this.#script,
      fault: this.#fault,
      disturbedBy: this.#draws?.disturbedBy ?? null,
      status: this.#head?.status ?? null,
      // The time of the head, or of the first bytes if the answer has no head.
      firstAtMs: this.#whole?.atMs ?? atMsOf(this.#sends?.[0]),
      sends: this.#sent,
      requestBytes: this.#requestBytes,
      replyBytes: this.#replyBytes,
      endedAtMs: this.#endedAtMs,
    };
  }

  /** @param bodyBytes the maximum number of bytes from each body */
  toEntry(redaction: Redaction, bodyBytes = Number.POSITIVE_INFINITY): JournalEntry {
    const { channel, method, path, headers, atMs } = this.#arrival;
    return {
      n: this.n,
      tenant: this.#tenant,
      channel,
      received_at_ms: atMs,
      request: {
        method,
        path: redaction.text(path),
        headers: headers.pairs.map(([name, value]) => [name, redaction.text(value)]),
        body_base64: shownBody([this.requestBody()], bodyBytes, redaction),
        complete: this.#complete,
      },
      reply: {
        script: this.#script,
        ...(this.#fault === null ? {} : { fault: this.#fault }),
        ...(this.#variants.length === 0 ? {} : { variants: [...this.#variants] }),
        ...(this.#provider === null ? {} : { passed_to: this.#provider }),
        ...(this.#draws === null ? {} : { draws: drawsEntry(this.#draws) }),
        status: this.#head?.status ?? null,
        headers: (this.#head?.headers ?? []).map(([name, value]) => [name, redaction.text(value)]),
        waiting_at: this.#waitingAt,
        sends: this.#whole?.sends ?? (this.#sends ?? []).flatMap(sendsOf),
        body_base64: shownBody(this.#replyParts(), bodyBytes, redaction),
        ended: this.#ended,
        ended_at_ms: this.#endedAtMs,
      },
    };
  }
}

/** Approximate memory of an entry besides its bytes. */
const bytesOfEntry = 2048;
const bytesOfHeader = 100;
const bytesOfSend = 200;

/** The maximum number of markers whose search result is cached. */
const maxMarkers = 100;

/** The maximum number of raw bytes kept from one answer: enough to recognise even a flood. */
const maxWireBytes = 1024 * 1024;
const maxWireSends = 100_000;
