import { createHash } from 'node:crypto';
import type { Profile } from '../../profile/profile.ts';
import { Untestable } from '../../rules/violation.ts';
import { isTooLong } from '../../wire/body-bounds.ts';
import type { WireClient, WireRequest } from '../../wire/client.ts';
import { tlsOptionsOf } from '../../wire/deployment-connection.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { type RawAnswer, sendRaw } from '../../wire/raw-socket.ts';
import { currentTimeline, type Timeline } from '../lockstep.ts';
import { type Generation, generationOf, modelCallOf } from '../model-calls.ts';
import { placeOf } from '../place-of.ts';
import { digestOf, readsTaskOf, withoutIssued, withoutKey } from '../requests.ts';
import { type WayName, wayOf } from '../way-of.ts';
import type { CheckRecord } from './check-record.ts';

export interface SenderSettings {
  readonly checkId: string;
  readonly seed: number;
  readonly profile: Pick<Profile, 'base_url' | 'translation' | 'tls' | 'absent'>;
  readonly client: WireClient;
  readonly signal: AbortSignal;
  readonly budget: CheckBudget;
  /** Called with each exchange of the deployment once it is over; absent when not wanted. */
  readonly saw?: (exchange: Exchange) => void;
  /** When the check moves the clock with others: the time it has spent waiting for that. */
  readonly timeline: Pick<Timeline, 'waitedMs'> | null;
}

/** The limits on a check's calls. */
export interface CheckBudget {
  /**
   * Counts one exchange before it is sent.
   * @throws CheckIsOver when it may not be sent any more
   */
  spend(): void;
  /** Counts an answer that was abandoned because it was too long. */
  countTooLong(): void;
  /** Counts a generation that the deployment charges for. */
  pay(generation: Generation): void;
}

/**
 * Sends all requests of one check. It counts them against the budget, hashes them into the digest, and keeps them
 * as evidence.
 */
export class CheckSender {
  readonly #settings: SenderSettings;
  readonly #record: CheckRecord;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(settings: SenderSettings, record: CheckRecord) {
    this.#settings = settings;
    this.#record = record;
  }

  get sent(): readonly Exchange[] {
    return this.#record.sent;
  }

  /** Resolves once all sent requests have ended. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** Sends at once. `onDone` receives the exchange and its endpoint before the exchange is recorded. */
  open(request: WireRequest, onDone: (exchange: Exchange, way: WayName | null) => void): LiveExchange {
    const { seed, checkId, client, signal, timeline, saw, profile } = this.#settings;
    const way = wayOf(request);
    // A check of another part that also needs chat does not apply where there is none.
    if (way?.startsWith('core') && profile.absent.includes('chat')) throw new Untestable('chat');
    this.#begin();
    const { issued } = this.#record;
    if (readsTaskOf(request, issued)) this.#record.countRead();
    else this.#record.countExchange(digestOf(request, issued));
    this.#record.countWay(way);
    const live = client.open(
      withGzipOffer({ signal, ...waits(timeline), ...request }, seed, checkId, issued),
    );
    this.#keep(live, (exchange) => {
      onDone(exchange, way);
      saw?.(exchange);
      this.#record.countPlace(placeOf(exchange, way));
      this.#count(request, way, exchange);
    });
    return live;
  }

  /** Reads a URL once, without an API key. */
  fetch(url: string): LiveExchange {
    const { client, signal } = this.#settings;
    this.#begin();
    this.#record.countRead();
    const live = client.fetch(url, { label: 'fetch', signal });
    this.#keep(live);
    return live;
  }

  /** Posts to a host other than the deployment's. The request differs from run to run, so it is not hashed. */
  async postTo(url: string, request: Omit<WireRequest, 'path' | 'method'>): Promise<Exchange> {
    const { client, signal } = this.#settings;
    this.#begin();
    this.#record.countRead();
    const live = client.openAt(url, { signal, ...request, method: 'POST' });
    this.#keep(live);
    return live.done;
  }

  /** Writes bytes to a new socket and reads the answer until the peer closes or `withinMs` passes. */
  async raw(pieces: readonly (string | Buffer)[], withinMs: number): Promise<RawAnswer> {
    const { profile, signal, client } = this.#settings;
    this.#begin();
    await client.pace?.turn(signal);
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
    this.#record.countExchange(createHash('sha256').update(bytes).digest('hex'));
    const answer = sendRaw({
      ...{ baseUrl: profile.base_url, translation: profile.translation },
      tls: tlsOptionsOf(profile),
      pieces,
      withinMs,
      signal,
    });
    this.#follow(answer);
    return answer;
  }

  /**
   * A check that is over sends nothing more.
   * @throws the reason of its signal; CheckIsOver when the budget is spent.
   */
  #begin(): void {
    this.#settings.signal.throwIfAborted();
    this.#settings.budget.spend();
  }

  #count(request: WireRequest, way: WayName | null, exchange: Exchange): void {
    const call = modelCallOf(request, way);
    if (call === null) return;
    const generation = generationOf(call, exchange);
    this.#record.countModel(call.model, generation);
    if (generation !== null) this.#settings.budget.pay(generation);
  }

  /** Keeps an exchange as evidence once it is over. */
  #keep({ done }: LiveExchange, onDone?: (exchange: Exchange) => void): void {
    this.#follow(
      done.then((exchange) => {
        onDone?.(exchange);
        if (isTooLong(exchange)) this.#settings.budget.countTooLong();
        this.#record.keep(exchange);
      }),
    );
  }

  #follow(work: Promise<unknown>): void {
    const over = work.finally(() => this.#underWay.delete(over));
    this.#underWay.add(over);
  }
}

/** The time that a call's timeline waited for the clock, so that it does not count as a slow answer. */
function waits(ofCheck: SenderSettings['timeline']): Pick<WireRequest, 'waitedMs'> {
  const timeline = currentTimeline() ?? ofCheck;
  return timeline === null ? {} : { waitedMs: () => timeline.waitedMs };
}

/**
 * How many characters of a body go into the draw: enough to distinguish cases, even those that contain a whole
 * video.
 */
const bodyPart = 4_096;

/**
 * Offers gzip on half of a check's calls, drawn by (seed, check, request). A gateway may choose whether to
 * compress (reading B-09), so its answers must be right in both forms. Drawing makes sure that both forms are
 * tried where a gateway compresses. Scene markers, keys in a query and ids that the deployment made (`issued`) do
 * not affect the draw, so a replay offers the same. A request that sets its own `Accept-Encoding` keeps it.
 */
export function withGzipOffer(
  request: WireRequest,
  seed: number,
  checkId: string,
  issued: Iterable<string> = [],
): WireRequest {
  const names = Object.keys(request.headers ?? {}).map((name) => name.toLowerCase());
  if (names.includes('accept-encoding')) return request;
  const occasion = `${seed}:${checkId}:${request.method} ${withoutKey(request.path)}\n${withoutIssued(bodyOf(request), issued).replaceAll(marker, '')}`;
  const drawn = (createHash('sha256').update(occasion).digest()[0] ?? 0) % 2 === 0;
  return drawn ? { ...request, headers: { ...request.headers, 'accept-encoding': 'gzip' } } : request;
}

/** Matches the marker of a scene. */
const marker = /gc[0-9a-f]{12}/g;

function bodyOf({ body }: WireRequest): string {
  if (Buffer.isBuffer(body)) return body.subarray(0, bodyPart).toString('latin1');
  return (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, bodyPart);
}
