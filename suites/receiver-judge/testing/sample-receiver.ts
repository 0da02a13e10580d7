import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { secretBytes } from '../../oracle/webhooks/sign.ts';

/** Defects of real receivers, one at a time. */
export type Defect =
  | 'no signature check'
  | 'unsigned events pass'
  | 'signatures in any case'
  | 'any version'
  | 'compares the beginning'
  | 'first signature only'
  | 're-serialises'
  | 'also verifies re-serialised JSON'
  | 'no age check'
  | 'accepts the future'
  | 'limit of ten minutes'
  | 'limit of one minute'
  | 'age by the unsigned header'
  | 'loose timestamp'
  | 'processes duplicates'
  | 'races'
  | 'remembers forged ids'
  | 'distinguishes events by their bodies'
  | 'requires events in order'
  | 'answers 200 to everything'
  | 'redirects'
  | 'breaks on bad events'
  | 'silent on bad events'
  | 'key is the text of the secret'
  | 'stops after forgeries';

export interface SampleOptions {
  readonly secret: string;
  readonly now: () => number;
  readonly defect?: Defect | null;
  /** How it answers accepted events: `{"duplicate": …}`, or an empty body like plain handlers. */
  readonly reports?: boolean;
  /** Whether its answers have a date. */
  readonly date?: boolean;
}

/** Its answer. */
export interface SampleAnswer {
  /** 0: no answer. */
  readonly status: number;
  readonly headers: readonly [string, string][];
  readonly body: string;
}

/** A typical receiver of a customer, with one flaw or none. */
export class SampleReceiver {
  readonly processed: string[] = [];
  readonly #options: SampleOptions;
  readonly #seen = new Set<string>();
  #newest = 0;
  #forgeries = 0;

  constructor(options: SampleOptions) {
    this.#options = options;
  }

  async answer(headers: readonly (readonly [string, string])[], body: Buffer): Promise<SampleAnswer> {
    const { defect, now, reports = true, date = true } = this.#options;
    const shown: [string, string][] = date ? [['date', new Date(now()).toUTCString()]] : [];
    if (defect === 'redirects') return { status: 308, headers: [...shown, ['location', '/v2']], body: '' };
    const verdict = await this.#take(new Map(headers), body);
    if (defect === 'answers 200 to everything') return { status: 200, headers: shown, body: '' };
    const isSilent = defect === 'silent on bad events' && typeof verdict === 'number';
    if (isSilent) return { status: 0, headers: [], body: '' };
    const status = typeof verdict === 'number' ? verdict : 200;
    const said = typeof verdict === 'number' ? { error: status } : { received: true, ...verdict };
    return { status, headers: shown, body: reports ? JSON.stringify(said) : '' };
  }

  /** The status that refuses the event, or the result of processing it. */
  async #take(headers: ReadonlyMap<string, string>, body: Buffer): Promise<number | { duplicate: boolean }> {
    const { defect } = this.#options;
    const refusal = this.#refusalOf(headers, body);
    if (refusal !== null) return defect === 'breaks on bad events' ? 500 : refusal;
    const id =
      defect === 'distinguishes events by their bodies' ? body.toString() : headerOf(headers, 'webhook-id');
    const isKnown = this.#seen.has(id);
    // Delayed like a database query.
    if (defect === 'races') await Promise.resolve();
    this.#seen.add(id);
    if (isKnown && defect !== 'processes duplicates') return { duplicate: true };
    const timestamp = Number(headerOf(headers, 'webhook-timestamp'));
    if (defect === 'requires events in order' && timestamp < this.#newest) return 409;
    this.#newest = Math.max(this.#newest, timestamp);
    this.processed.push(id);
    return { duplicate: false };
  }

  #refusalOf(headers: ReadonlyMap<string, string>, body: Buffer): number | null {
    const { defect } = this.#options;
    const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')];
    if (id === '' || timestamp === '') return 400;
    if (defect === 'remembers forged ids' && this.#seen.has(id)) return null;
    if (!/^\d{1,12}$/.test(timestamp) && defect !== 'loose timestamp') return 400;
    if (!this.#isSigned(headers, `${id}.${timestamp}.`, body)) {
      if (defect === 'remembers forged ids') this.#seen.add(id);
      this.#forgeries += 1;
      return 401;
    }
    if (defect === 'stops after forgeries' && this.#forgeries > 3) return 403;
    return this.#isInTime(headers) ? null : 400;
  }

  #isInTime(headers: ReadonlyMap<string, string>): boolean {
    const { defect, now } = this.#options;
    const header = defect === 'age by the unsigned header' ? 'x-service-timestamp' : 'webhook-timestamp';
    const age = Math.floor(now() / 1000) - Number.parseInt(headerOf(headers, header), 10);
    if (defect === 'no age check') return true;
    if (defect === 'accepts the future' && age < 0) return true;
    const bound = defect === 'limit of ten minutes' ? 600 : defect === 'limit of one minute' ? 60 : 300;
    return !(Math.abs(age) > bound);
  }

  #isSigned(headers: ReadonlyMap<string, string>, head: string, body: Buffer): boolean {
    const { defect, secret } = this.#options;
    const header = headerOf(headers, 'webhook-signature');
    if (defect === 'no signature check' || (defect === 'unsigned events pass' && header === '')) return true;
    const given = header.split(' ').slice(0, defect === 'first signature only' ? 1 : undefined);
    const key = defect === 'key is the text of the secret' ? secret : secretBytes(secret);
    return this.#contentsOf(body).some((content) => {
      const expected = `v1,${createHmac('sha256', key).update(head).update(content).digest('base64')}`;
      return given.some((text) => this.#isSame(text, expected));
    });
  }

  #isSame(given: string, expected: string): boolean {
    const { defect } = this.#options;
    if (defect === 'compares the beginning') return given.startsWith('v1,') && expected.startsWith(given);
    if (defect === 'signatures in any case') return given.toLowerCase() === expected.toLowerCase();
    if (defect === 'any version') return given.split(',')[1] === expected.split(',')[1];
    return given === expected;
  }

  #contentsOf(body: Buffer): Buffer[] {
    const { defect } = this.#options;
    const again = Buffer.from(writtenAgain(body));
    if (defect === 're-serialises') return [again];
    return defect === 'also verifies re-serialised JSON' ? [body, again] : [body];
  }
}

function writtenAgain(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString()));
  } catch {
    return '';
  }
}

/** The value of a header; an empty text when it is missing. */
function headerOf(headers: ReadonlyMap<string, string>, name: string): string {
  return headers.get(name) ?? '';
}

/**
 * The receiver behind an HTTP server that does not listen yet. `GET /effects` reports what it has processed.
 */
export function createSampleServer(receiver: SampleReceiver): Server {
  return createServer(async (request, response) => {
    response.sendDate = false;
    if (request.url === '/effects') return void response.end(JSON.stringify({ events: receiver.processed }));
    const { rawHeaders } = request;
    const pairs = Array.from(
      { length: rawHeaders.length / 2 },
      (_, at) => [(rawHeaders[2 * at] ?? '').toLowerCase(), rawHeaders[2 * at + 1] ?? ''] as const,
    );
    const { status, headers, body } = await receiver.answer(pairs, Buffer.concat(await request.toArray()));
    response.writeHead(status, headers.flat()).end(body);
  });
}
