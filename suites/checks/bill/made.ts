import type { Reply } from 'gatecheck-simulators/client';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import type { Made } from '../../oracle/media/price.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import { dollarText, type Pico } from '../../oracle/money.ts';
import { must } from '../../rules/violation.ts';
import { picturesPaid } from '../../steps/media/pictures.ts';
import { defaultSeconds, mediumMade } from '../../steps/media/task-models.ts';
import { charged } from '../../steps/money/priced-call.ts';
import { type Exchange, isSuccess } from '../../wire/exchange.ts';

/** Media made for a key, with its charge. */
export interface PaidMedia {
  readonly made: Made;
  /** The alternative count, where one exists: a grid in one composed image may count as four images (reading B-64). */
  readonly orMade?: Made;
  readonly charge: Pico;
  /** The request that the charge belongs to. */
  readonly exchange: Exchange;
}

export interface MediaOrder {
  readonly model: string;
  /** Further members of the smallest body. */
  readonly more?: Readonly<Record<string, unknown>>;
  readonly key: string;
  readonly label: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The upstream's replies; a default reply if absent. */
  readonly replies?: readonly Reply[];
  /** Whether the gateway may fail without a retry (reading B-106). Then no images are made. */
  readonly mayFail?: boolean;
}

/** Makes the media, judges it, and reads its charge. */
export async function paidMedia(
  parts: CheckParts,
  order: MediaOrder,
  requirement: string,
): Promise<PaidMedia> {
  const { cases, meter } = parts;
  cases.count();
  let made: Pick<PaidMedia, 'made' | 'orMade'> = { made: { images: 0, seconds: 0 } };
  const work = async (): Promise<Exchange> => {
    const { exchange, ...what } = await makeMedia(parts, order, requirement);
    made = what;
    return exchange;
  };
  const { exchange, charge } = await charged(meter, work, { key: order.key });
  return { ...made, charge, exchange };
}

/** Makes the media, synchronously or as a task, and judges it. */
export async function makeMedia(
  { newScene, images, tasks }: CheckParts,
  order: MediaOrder,
  requirement: string,
): Promise<Omit<PaidMedia, 'charge'>> {
  const { model, more = {}, key, label, headers = {}, replies = [], mayFail = false } = order;
  const scene = newScene();
  if (replies.length > 0) await scene.script(...replies);
  const body = { ...scene.minimalMedia(model), ...more };
  const options = { label: `${model}, ${label}`, key, headers };
  const isPictures = mediaModel(model)?.endpoint === 'images';
  if (isPictures) {
    const exchange = await images.generate(body, options);
    if (mayFail && !isSuccess(exchange) && (await scene.requestsNow()).length === 1)
      return { exchange, made: { images: 0, seconds: 0 } };
    const n = typeof more.n === 'number' ? more.n : 1;
    const { pictures } = images.pictured(exchange, { requirement, aspect: 'accepted', n, form: null });
    return { exchange, made: { images: pictures.length, seconds: 0, ...qualityOf(more) } };
  }
  const { submitted, last } = await tasks.make(body, options);
  const seconds = await secondsOf(tasks, model, more, last);
  const [one = 0, other] = picturesPaid(model, body, last);
  const orMade = other === undefined ? {} : { orMade: { images: other, seconds } };
  return { exchange: submitted, made: { images: one, seconds }, ...orMade };
}

/**
 * The charged length, s: the requested length, else the model's default, else that of the video. duration_sec may differ
 * (reading B-70), so it counts only if nothing else shows the length.
 */
async function secondsOf(
  tasks: CheckParts['tasks'],
  model: string,
  { duration }: MediaOrder['more'] & object,
  last: TaskRecord,
): Promise<number> {
  const asked = typeof duration === 'number' ? duration : defaultSeconds(model);
  if (asked !== null) return asked;
  const [made] = mediumMade(model) === 'video' ? await tasks.results(last) : [];
  const seconds = made?.sniffed.kind === 'video' ? made.sniffed.seconds : null;
  const reported = last.durationSec ?? 0;
  // A record that agrees with the file header is more exact than the header.
  return seconds === null || Math.abs(seconds - reported) < 1 ? reported : Math.round(seconds);
}

/** Judges that a call cost nothing; `why` says why it must be free. */
export function mustBeFree(
  { charge, exchange }: Pick<PaidMedia, 'charge' | 'exchange'>,
  rule: { readonly requirement: string; readonly aspect: string },
  why: string,
): void {
  const actual = `${dollarText(charge)} for HTTP ${exchange.response?.status}`;
  must(charge === 0n, { ...rule, expected: `no charge: ${why}`, actual, exchange });
}

/** The charge due for media. Where two counts are allowed, the actual charge selects one. */
export function dueFor(
  { made, orMade = made, charge }: Omit<PaidMedia, 'exchange'>,
  chargeFor: (made: Made) => Pico,
): Pico {
  return chargeFor(chargeFor(orMade) === charge ? orMade : made);
}

/** Judges that a charge is exact to the last digit. */
export function mustCost(
  { charge, exchange }: Pick<PaidMedia, 'charge' | 'exchange'>,
  due: Pico,
  rule: { readonly requirement: string; readonly aspect: string },
  show: (pico: Pico) => string,
): void {
  must(charge === due, { ...rule, expected: show(due), actual: show(charge), exchange });
}

function qualityOf({ quality }: Readonly<Record<string, unknown>>): Pick<Made, 'quality'> {
  return quality === 'low' || quality === 'medium' || quality === 'high' ? { quality } : {};
}
