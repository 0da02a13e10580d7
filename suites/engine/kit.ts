import { createHash } from 'node:crypto';
import type fc from 'fast-check';
import { type BrokenStream, judgeBrokenStream } from '../oracle/broken-stream.ts';
import { type Completion, type ExpectedCompletion, judgeCompletion } from '../oracle/completion.ts';
import { type ErrorBody, type ExpectedRefusal, judgeRefusal } from '../oracle/refusal.ts';
import { judgeStream, type StreamedCompletion } from '../oracle/stream.ts';
import type { Keys, Profile } from '../targets/profile.ts';
import type { WireClient, WireRequest } from '../wire/client.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { LiveExchange } from '../wire/live-exchange.ts';
import { type RawAnswer, sendRaw } from '../wire/raw-socket.ts';
import type { StackClock } from './clock-control.ts';
import { Gate } from './gate.ts';
import { withGzipOffer } from './offer-gzip.ts';
import { type PropertyFacts, type PropertyOptions, runProperty } from './property.ts';
import { Scene, type UpstreamScope } from './scene.ts';
import { createRng, deriveSeed, type Rng } from './seed.ts';
import { type Finding, Untestable } from './violation.ts';

/** A JSON object on its way to the wire. */
export type JsonObject = Record<string, unknown>;

export interface ChatOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly label?: string;
}

/** What the engine hands to the kit of one check. */
export interface KitParts {
  readonly checkId: string;
  readonly seed: number;
  readonly size: 'quick' | 'full';
  /** fast-check path to replay, when the user gave one. */
  readonly path: string | null;
  readonly profile: Profile;
  readonly keys: Keys;
  /** The lane is an account of its own: nothing else uses its keys while the check runs. */
  readonly ownLane: boolean;
  readonly models: readonly string[];
  /** Public ids of the channels that serve K1's account; empty when the profile does not say. */
  readonly channels: readonly string[];
  readonly client: WireClient;
  readonly signal: AbortSignal;
  readonly upstream: UpstreamScope | null;
  readonly clock: StackClock | null;
  readonly spend: () => void;
}

/** Everything a check may touch. One kit serves one run of one check. */
export class Kit {
  readonly rng: Rng;
  readonly notes: string[] = [];
  readonly advice: Finding[] = [];
  readonly sent: Exchange[] = [];
  /** Texts that a report replaces by a placeholder, beside the secrets of the profile. */
  readonly concealed: [value: string, name: string][] = [];
  readonly #parts: KitParts;
  readonly #gate: Gate;
  readonly #digests: string[] = [];
  #cases = 0;
  #exchanges = 0;
  #scenes = 0;
  #property: PropertyFacts | null = null;

  constructor(parts: KitParts) {
    this.#parts = parts;
    this.rng = createRng(parts.seed, parts.checkId);
    this.#gate = new Gate(Math.max(1, parts.profile.cap.value - 1));
  }

  get profile(): Profile {
    return this.#parts.profile;
  }
  get keys(): Keys {
    return this.#parts.keys;
  }
  get full(): boolean {
    return this.#parts.size === 'full';
  }
  get signal(): AbortSignal {
    return this.#parts.signal;
  }
  /** Catalogue ids that are enabled for K1, at least one. */
  get models(): readonly string[] {
    return this.#parts.models;
  }
  get cases(): number {
    return this.#cases;
  }
  get exchanges(): number {
    return this.#exchanges;
  }
  get property(): PropertyFacts | null {
    return this.#property;
  }

  /** A key that the check declared to need. */
  key(name: keyof Keys): string {
    const key = this.#parts.keys[name];
    if (key === undefined) throw new Error(`the check uses keys.${name} without declaring that it needs it`);
    return key;
  }

  /** A key derived from a real one: reports show a placeholder in its place. */
  altered(key: string): string {
    this.concealed.push([key, '$GATECHECK_KEY_ALTERED']);
    return key;
  }

  /** The one model on which a check runs when any would do: drawn by seed. */
  anyModel(): string {
    return this.rng.pick(this.models);
  }

  /** Records an observation for the report, once. */
  note(text: string): void {
    if (!this.notes.includes(text) && this.notes.length < 20) this.notes.push(text);
  }

  /** Counts one judged case. */
  countCase(): void {
    this.#cases += 1;
  }

  /** A fresh scope: a marker that survives the gateway in the prompt, and the upstream's script and journal under it. */
  scene(): Scene {
    this.#scenes += 1;
    const { seed, checkId } = this.#parts;
    const marker = `gc${createHash('sha256').update(`${seed}:${checkId}:${this.#scenes}`).digest('hex').slice(0, 12)}`;
    return new Scene(marker, this.#parts.upstream, this.signal);
  }

  get clock(): StackClock {
    if (this.#parts.clock === null) throw new Untestable('hooks.clock');
    return this.#parts.clock;
  }

  /** Sends politely: never more than cap minus one of this user's calls in flight. */
  async send(request: WireRequest): Promise<Exchange> {
    return this.#gate.pass(() => this.open(request).done);
  }

  /** Sends at once, whatever is in flight, and lets the caller follow the answer or leave. */
  open(request: WireRequest): LiveExchange {
    this.#parts.spend();
    this.#exchanges += 1;
    this.#digests.push(digestOf(request));
    const { seed, checkId, client } = this.#parts;
    const live = client.open(withGzipOffer({ signal: this.signal, ...request }, seed, checkId));
    void live.done.then((exchange) => {
      this.sent.push(exchange);
      if (this.sent.length > 50) this.sent.shift();
    });
    return live;
  }

  async chat(body: JsonObject | string | Buffer, options: ChatOptions = {}): Promise<Exchange> {
    return this.send(this.chatRequest(body, options));
  }

  openChat(body: JsonObject | string | Buffer, options: ChatOptions = {}): LiveExchange {
    return this.open(this.chatRequest(body, options));
  }

  chatRequest(body: JsonObject | string | Buffer, options: ChatOptions = {}): WireRequest {
    return {
      method: 'POST',
      path: '/api/v1/chat/completions',
      headers: { ...bearer(options.key ?? this.keys.K1), ...options.headers },
      body,
      label: options.label ?? 'chat',
    };
  }

  async get(path: string, options: ChatOptions = {}): Promise<Exchange> {
    const headers = { ...bearer(options.key ?? this.keys.K1), ...options.headers };
    return this.send({ method: 'GET', path, headers, label: options.label ?? `GET ${path}` });
  }

  /** Writes bytes to a socket of its own and reads what comes back until the peer closes or `withinMs` passes. */
  async raw(pieces: readonly (string | Buffer)[], withinMs: number): Promise<RawAnswer> {
    this.#parts.spend();
    this.#exchanges += 1;
    this.#digests.push(
      createHash('sha256')
        .update(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
        .digest('hex'),
    );
    return sendRaw({
      baseUrl: this.profile.base_url,
      caPath: this.profile.tls.ca ?? null,
      pieces,
      withinMs,
      signal: this.signal,
    });
  }

  refused(exchange: Exchange, expected: ExpectedRefusal): ErrorBody {
    const error = judgeRefusal(exchange, { channels: this.#parts.channels, ...expected });
    for (const finding of error.advice) this.advise(finding);
    return error;
  }

  completed(exchange: Exchange, expected: ExpectedCompletion): Completion {
    const completion = judgeCompletion(exchange, { clockAheadMs: this.#clockAheadMs, ...expected });
    for (const text of completion.notes) this.note(text);
    return completion;
  }

  streamed(exchange: Exchange, expected: ExpectedCompletion): StreamedCompletion {
    const stream = judgeStream(exchange, { clockAheadMs: this.#clockAheadMs, ...expected });
    for (const text of stream.notes) this.note(text);
    for (const finding of stream.advice) this.advise(finding);
    return stream;
  }

  /** A stream whose upstream failed after it had begun. */
  broken(exchange: Exchange): BrokenStream {
    const stream = judgeBrokenStream(exchange, this.#parts.channels);
    for (const text of stream.notes) this.note(text);
    return stream;
  }

  get #clockAheadMs(): number {
    return this.#parts.clock?.aheadMs ?? 0;
  }

  /** Records advice that is not followed: the check goes on, and ends as `warn`. */
  advise(finding: Finding): void {
    if (
      !this.advice.some(
        (known) => known.requirement === finding.requirement && known.aspect === finding.aspect,
      )
    )
      this.advice.push(finding);
  }

  /** Runs a property over generated cases, seeded by the run and this check. */
  async forAll<T>(
    arbitrary: fc.Arbitrary<T>,
    holds: (value: T) => Promise<void>,
    options: PropertyOptions = {},
  ): Promise<void> {
    const drawn = this.full ? (options.full ?? 100) : (options.quick ?? 10);
    const examples = options.examples ?? [];
    await runProperty({
      arbitrary,
      holds: async (value) => {
        this.signal.throwIfAborted();
        this.countCase();
        await holds(value);
      },
      seed: deriveSeed(this.#parts.seed, this.#parts.checkId),
      path: this.#parts.path,
      size: this.#parts.size,
      // Examples come beside the drawn cases, not in their place.
      runs: drawn + examples.length,
      examples,
      report: (facts) => {
        this.#property = facts;
      },
    });
  }

  /** One hash over everything this check sent: the same for the same seed, in whatever order it went out. */
  digest(): string {
    return createHash('sha256')
      .update([...this.#digests].sort().join('\n'))
      .digest('hex')
      .slice(0, 16);
  }

  get ownLane(): boolean {
    return this.#parts.ownLane;
  }
}

export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** Headers are left out: they hold keys, which differ from stack to stack. */
function digestOf(request: WireRequest): string {
  const body =
    Buffer.isBuffer(request.body) || typeof request.body === 'string'
      ? request.body
      : JSON.stringify(request.body ?? null);
  return createHash('sha256').update(`${request.method} ${request.path}\n`).update(body).digest('hex');
}

export type Arbitrary<T> = fc.Arbitrary<T>;
