import {
  type AnsweredPicture,
  bytesOfBase64,
  type ExpectedImages,
  type ImagesAnswer,
  judgeImages,
} from '../../oracle/media/images-answer.ts';
import { type Finding, Violation } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { LiveExchange } from '../../wire/live-exchange.ts';
import { sniff } from '../../wire/media.ts';
import { type Fetched, summaryOf } from '../fetch-media.ts';
import { type ChatOptions, mediaRequest, type RequestBody } from '../requests.ts';
import type { CheckClock } from './check-clock.ts';
import type { CheckRecord } from './check-record.ts';
import type { HttpCalls } from './http-calls.ts';
import type { TenantSender } from './tenant-sender.ts';

export interface ImagesSettings {
  readonly sender: TenantSender;
  readonly http: Pick<HttpCalls, 'fetch'>;
  readonly clock: Pick<CheckClock, 'aheadMs'>;
  readonly record: Pick<CheckRecord, 'note'>;
}

/** Calls of the image endpoint for one tenant, and the judge of their answers. */
export class Images {
  readonly #settings: ImagesSettings;

  constructor(settings: ImagesSettings) {
    this.#settings = settings;
  }

  /** Sends within the limit: at most cap minus one calls of one user are in flight. */
  async generate(body: RequestBody, options: ChatOptions = {}): Promise<Exchange> {
    return this.#settings.sender.politely(options.key, () => this.open(body, options).done);
  }

  /** Sends at once, however many calls are in flight. */
  open(body: RequestBody, options: ChatOptions = {}): LiveExchange {
    const { sender } = this.#settings;
    return sender.open(mediaRequest('images', body, options, sender.mainKey));
  }

  /** Judges a 200 answer. */
  pictured(exchange: Exchange, expected: ExpectedImages = {}): ImagesAnswer {
    const { clock, record } = this.#settings;
    const answer = judgeImages(exchange, { clockAheadMs: clock.aheadMs, ...expected });
    for (const text of answer.notes) record.note(text);
    return answer;
  }

  /** Loads the image of one element of `data`. It must be an image. */
  async look({ url, base64 }: AnsweredPicture, exchange: Exchange): Promise<Fetched> {
    if (url === null) {
      const bytes = bytesOfBase64(base64 ?? '') ?? Buffer.alloc(0);
      const found = { url: '', status: 200, type: '', bytes, sniffed: sniff(bytes), exchange };
      judgePicture(found, { requirement: 'IMG-021', aspect: 'picture-in-base64', exchange });
      return found;
    }
    const found = await this.#settings.http.fetch(url);
    judgePicture(found, { requirement: 'IMG-020', aspect: 'picture-at-url', exchange, twin: found.exchange });
    return found;
  }
}

function judgePicture(
  found: Fetched,
  own: Pick<Finding, 'requirement' | 'aspect' | 'exchange' | 'twin'>,
): void {
  if (found.status === 200 && found.sniffed.kind === 'image') return;
  throw new Violation({ ...own, expected: 'a PNG, JPEG or WebP image', actual: summaryOf(found) });
}
