import { createHash } from 'node:crypto';
import type { ModelCalls } from 'gatecheck-reports/evidence';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { unknownIdLike } from '../../oracle/media/task-answer.ts';
import type { Finding } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { isAlike, isSameMember } from '../distinct-violations.ts';
import { addGeneration, type Generation } from '../model-calls.ts';
import type { PropertyFacts } from '../property.ts';
import type { TestKey } from '../test-accounts.ts';
import type { WayName } from '../way-of.ts';
import { ExchangeTrace } from './exchange-trace.ts';

/** The most notes and exchanges that are kept; later notes and the oldest exchanges are dropped. */
const maxNotes = 20;
const usuallySent = 50;
/** The most bytes of bodies that are kept, because checks run side by side. The last exchange is always kept. */
const maxSentBytes = 32 * 1024 * 1024;

/** The most aspects, and places of one aspect, that are kept: more would not help the reader. */
const maxAspects = 20;
const maxPlaces = 12;

/** What one run of one check records for its report. */
export class CheckRecord {
  readonly notes: string[] = [];
  readonly advice: Finding[] = [];
  /** Violations that did not end the check: one for each aspect of a rule and each place. */
  readonly violations: Finding[] = [];
  /** The last exchanges, oldest first. */
  readonly sent: Exchange[] = [];
  /** All exchanges, without their bodies. */
  readonly trace = new ExchangeTrace();
  /** Texts that a report replaces by placeholders, besides the secrets of the profile. */
  readonly concealed: [value: string, name: string][] = [];
  /** Ids that the deployment made, plain and URL-encoded, and the unknown ids derived from them. */
  readonly issued = new Set<string>();
  /** Keys that were made for the check and should work at once, until an answer shows that the deployment knows them. */
  readonly unknownKeys = new Set<string>();
  /** Keys of accounts that were made for the check, by their secrets. */
  readonly madeKeys = new Map<string, TestKey>();
  property: PropertyFacts | null = null;
  /** The cells that the check's histories did not draw; null when it has no histories. */
  undrawn: readonly string[] | null = null;
  cases = 0;
  exchanges = 0;
  /** How often each endpoint was called; streamed calls count apart. */
  readonly ways = new Map<WayName, number>();
  /** How often each place was called (see `placeOf`). */
  readonly places = new Map<string, number>();
  /** How often each model was called, and how many generations were accepted and charged. */
  readonly models = new Map<string, ModelCalls>();
  readonly #maxSent: number;
  readonly #now: () => number;
  readonly #seenAt = new WeakMap<Finding, number>();
  readonly #digests: string[] = [];
  #digested = 0;
  #sentBytes = 0;
  #isClosed = false;

  /** @param maxSent how many of the last exchanges are kept */
  constructor(maxSent = usuallySent, now: () => number = Date.now) {
    this.#maxSent = maxSent;
    this.#now = now;
  }

  note(text: string): void {
    if (!this.notes.includes(text) && this.notes.length < maxNotes) this.notes.push(text);
  }

  /** Ends the judging. From now on requests are cut off by the check itself, so their outcomes prove nothing. */
  close(): void {
    this.#isClosed = true;
  }

  advise(finding: Finding): void {
    if (this.#isClosed) return;
    if (!this.advice.some((known) => isAlike(known, finding))) this.advice.push(finding);
  }

  violate(finding: Finding): void {
    const { violations } = this;
    if (this.#isClosed) return;
    const known = violations.filter((one) => isAlike(one, finding));
    if (known.some((one) => isSameMember(one, finding))) return;
    const isRoom = known.length === 0 ? countAspects(violations) < maxAspects : known.length < maxPlaces;
    if (!isRoom) return;
    this.sees(finding);
    violations.push(finding);
  }

  /** Records the time at which a finding was made. */
  sees(finding: Finding): void {
    this.#seenAt.set(finding, this.#now());
  }

  /** When a finding was made, Unix ms; null when unknown. */
  seenAt(finding: Finding): number | null {
    return this.#seenAt.get(finding) ?? null;
  }

  /** Keeps a secret out of reports. */
  conceal(secret: string, name: string): void {
    this.concealed.push([secret, name]);
  }

  /** Records an id that the deployment made, because it differs from run to run. */
  issue(id: string): void {
    this.issued.add(id).add(encodeURIComponent(id)).add(unknownIdLike(id));
  }

  /** Counts an exchange by the hash of its request. */
  countExchange(digest: string): void {
    this.exchanges += 1;
    this.#digested += 1;
    this.#digests.push(digest);
  }

  /** Hashes the drawn values instead of the request, for requests with parts that differ from run to run. */
  noteDrawn(value: unknown): void {
    this.#digests.push(createHash('sha256').update(JSON.stringify(value)).digest('hex'));
  }

  /** Counts an exchange that may be repeated any number of times, so the hash leaves it out. */
  countRead(): void {
    this.exchanges += 1;
  }

  /** Counts a call of an endpoint; does nothing for null. */
  countWay(way: WayName | null): void {
    if (way !== null) this.ways.set(way, (this.ways.get(way) ?? 0) + 1);
  }

  /** Counts an exchange at its place; does nothing for null. */
  countPlace(place: string | null): void {
    if (place !== null) this.places.set(place, (this.places.get(place) ?? 0) + 1);
  }

  /** The number of exchanges that may be repeated any number of times. */
  get reads(): number {
    return this.exchanges - this.#digested;
  }

  /** Counts a call of a model and its generation; null when the call was not accepted. */
  countModel(model: string, generation: Generation | null): void {
    // Checks invent names of models; counting those would only fill the report.
    if (generation === null && !isInCatalogue(model)) return;
    const calls = this.models.get(model) ?? { asked: 0 };
    this.models.set(model, addGeneration({ ...calls, asked: calls.asked + 1 }, generation));
  }

  keep(exchange: Exchange): void {
    this.trace.add(exchange);
    if (exchange.response !== null && exchange.response.status !== 401)
      for (const key of this.unknownKeys) if (isSentWith(exchange, key)) this.unknownKeys.delete(key);
    this.sent.push(exchange);
    this.#sentBytes += sizeOf(exchange);
    while (this.sent.length > this.#maxSent || (this.#sentBytes > maxSentBytes && this.sent.length > 1)) {
      const oldest = this.sent.shift();
      if (oldest !== undefined) this.#sentBytes -= sizeOf(oldest);
    }
  }

  /**
   * One hash over everything that this check requested. It depends on the seed. It does not depend on the order of sending,
   * nor on repeats while a channel cooled down.
   */
  digest(): string {
    return createHash('sha256')
      .update([...new Set(this.#digests)].sort().join('\n'))
      .digest('hex')
      .slice(0, 16);
  }
}

/** Whether a request has a key in a header or its address. */
export function isSentWith({ request: { headers, url } }: Exchange, key: string): boolean {
  const isInHeader = headers.some(([, value]) => value === key || value.endsWith(` ${key}`));
  return isInHeader || (URL.canParse(url) && [...new URL(url).searchParams.values()].includes(key));
}

function sizeOf({ request, response }: Exchange): number {
  return request.body.length + (response?.body.length ?? 0);
}

function isInCatalogue(model: string): boolean {
  return chatModel(model) !== undefined || mediaModel(model) !== undefined;
}

function countAspects(findings: readonly Finding[]): number {
  return new Set(findings.map(({ requirement, aspect }) => `${requirement} ${aspect}`)).size;
}
