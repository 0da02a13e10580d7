import type { Ended, JournalAnswer, JournalEntry, JournalQuery, Send } from './protocol.ts';

/** How much of a lane's past is kept. The oldest entries go first; the newest always stays. */
export interface JournalLimits {
  readonly entries: number;
  /** Request and reply bodies together. */
  readonly bodyBytes: number;
}

const defaultLimits: JournalLimits = { entries: 2000, bodyBytes: 128 * 1024 * 1024 };

/** What is known of a request when its head has arrived. */
export interface Arrival {
  readonly channel: string;
  readonly method: string;
  readonly path: string;
  readonly headers: [string, string][];
  readonly atMs: number;
}

/** What reached one lane's upstreams. Everybody who waits for a change is told of each. */
export class Journal {
  readonly #lane: string;
  readonly #limits: JournalLimits;
  readonly #watchers = new Set<() => void>();
  #records: JournalRecord[] = [];
  #bodyBytes = 0;
  #lastN = 0;
  #dropped = 0;

  constructor(lane: string, limits: JournalLimits = defaultLimits) {
    this.#lane = lane;
    this.#limits = limits;
  }

  open(arrival: Arrival): JournalRecord {
    this.#lastN += 1;
    const record = new JournalRecord(this.#lane, this.#lastN, arrival, (bytes) =>
      this.#changed(record, bytes),
    );
    this.#records.push(record);
    this.#changed(record, 0);
    return record;
  }

  /** Forgets all entries. The count goes on, so that a late request is never taken for a new one. */
  clear(): void {
    this.#records = [];
    this.#bodyBytes = 0;
    this.#dropped = 0;
    this.#notify();
  }

  /** Answers at once whether the query is satisfied, with the entries it selects. */
  read(query: JournalQuery): JournalAnswer {
    const selected = this.#select(query);
    const satisfied = isSatisfied(selected, query);
    return { satisfied, entries: selected.map((record) => record.toEntry()), dropped: this.#dropped };
  }

  isSatisfied(query: JournalQuery): boolean {
    return isSatisfied(this.#select(query), query);
  }

  /** Calls `onChange` after every change until the returned function is called. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  #select(query: JournalQuery): JournalRecord[] {
    const after = query.after ?? 0;
    return this.#records.filter(
      (record) => record.n > after && (query.marker === undefined || record.requestContains(query.marker)),
    );
  }

  #changed(record: JournalRecord, bytes: number): void {
    if (bytes > 0 && this.#records.includes(record)) this.#bodyBytes += bytes;
    while (this.#isOverfull()) {
      this.#bodyBytes -= this.#records.shift()?.bodyBytes ?? 0;
      this.#dropped += 1;
    }
    this.#notify();
  }

  #isOverfull(): boolean {
    const { entries, bodyBytes } = this.#limits;
    return this.#records.length > 1 && (this.#records.length > entries || this.#bodyBytes > bodyBytes);
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}

/** One request as it goes along. */
export class JournalRecord {
  readonly n: number;
  readonly channel: string;
  readonly #lane: string;
  readonly #arrival: Arrival;
  readonly #onChange: (bytes: number) => void;
  readonly #requestBody: Buffer[] = [];
  readonly #replyBody: Buffer[] = [];
  readonly #sends: Send[] = [];
  readonly #markers = new Map<string, boolean>();
  #complete = false;
  #script: string | null = null;
  #status: number | null = null;
  #waitingAt: string | null = null;
  #ended: Ended = 'open';
  #endedAtMs: number | null = null;

  constructor(lane: string, n: number, arrival: Arrival, onChange: (bytes: number) => void) {
    this.n = n;
    this.channel = arrival.channel;
    this.#lane = lane;
    this.#arrival = arrival;
    this.#onChange = onChange;
  }

  get bodyBytes(): number {
    return [...this.#requestBody, ...this.#replyBody].reduce((sum, chunk) => sum + chunk.length, 0);
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
    this.#markers.set(marker, found);
    return found;
  }

  requestBody(): Buffer {
    if (this.#requestBody.length > 1) this.#requestBody.splice(0, Infinity, Buffer.concat(this.#requestBody));
    return this.#requestBody[0] ?? Buffer.alloc(0);
  }

  received(chunk: Buffer): void {
    this.#requestBody.push(chunk);
    this.#onChange(chunk.length);
  }

  receivedAll(): void {
    this.#complete = true;
    this.#onChange(0);
  }

  answeredBy(script: string | null): void {
    this.#script = script;
  }

  sentHead(status: number, send: Send): void {
    this.#status = status;
    this.#sends.push(send);
    this.#onChange(0);
  }

  sent(send: Send, bytes: Buffer): void {
    this.#sends.push(send);
    this.#replyBody.push(bytes);
    this.#onChange(bytes.length);
  }

  waits(at: string | null): void {
    this.#waitingAt = at;
    this.#onChange(0);
  }

  /** The first ending counts: a cut connection also closes, and that is not a client that left. */
  end(how: Exclude<Ended, 'open'>, atMs: number): void {
    if (this.#ended !== 'open') return;
    this.#ended = how;
    this.#endedAtMs = atMs;
    this.#waitingAt = null;
    this.#onChange(0);
  }

  toEntry(): JournalEntry {
    const { channel, method, path, headers, atMs } = this.#arrival;
    return {
      n: this.n,
      lane: this.#lane,
      channel,
      received_at_ms: atMs,
      request: {
        method,
        path,
        headers,
        body_base64: this.requestBody().toString('base64'),
        complete: this.#complete,
      },
      reply: {
        script: this.#script,
        status: this.#status,
        waiting_at: this.#waitingAt,
        sends: [...this.#sends],
        body_base64: Buffer.concat(this.#replyBody).toString('base64'),
        ended: this.#ended,
        ended_at_ms: this.#endedAtMs,
      },
    };
  }
}

function isSatisfied(records: readonly JournalRecord[], query: JournalQuery): boolean {
  const { requests = 0, waiting = 0, ended = 0 } = query;
  const counts = { arrived: 0, waiting: 0, ended: 0 };
  for (const record of records) {
    // A request still being read would show half a body to the one who waited for it.
    if (record.isComplete || record.ended !== 'open') counts.arrived += 1;
    if (record.waitingAt !== null) counts.waiting += 1;
    if (record.ended !== 'open') counts.ended += 1;
  }
  return counts.arrived >= requests && counts.waiting >= waiting && counts.ended >= ended;
}
