import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import type { Made } from '../../oracle/media/price.ts';
import { dollarText, type Pico } from '../../oracle/money.ts';
import { must } from '../../rules/violation.ts';
import { defaultSeconds } from '../../steps/media/task-models.ts';
import { charged } from '../../steps/money/charged.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Media made for a key, with its charge. */
export interface PaidMedia {
  readonly made: Made;
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
}

/** Makes the media, synchronously or as a task, judges it, and reads its charge. */
export async function paidMedia(
  { cases, newScene, images, tasks, meter }: CheckParts,
  order: MediaOrder,
  requirement: string,
): Promise<PaidMedia> {
  cases.count();
  const { model, more = {}, key, label } = order;
  const body = { ...newScene().minimalMedia(model), ...more };
  const options = { label: `${model}, ${label}`, key };
  const isPictures = mediaModel(model)?.endpoint === 'images';
  let made: Made = { images: 0, seconds: 0 };
  const work = async (): Promise<Exchange> => {
    if (isPictures) {
      const exchange = await images.generate(body, options);
      const n = typeof more.n === 'number' ? more.n : 1;
      const { pictures } = images.pictured(exchange, { requirement, aspect: 'accepted', n, form: null });
      made = { images: pictures.length, seconds: 0, ...qualityOf(more) };
      return exchange;
    }
    const { submitted, last } = await tasks.make(body, options);
    made = { images: last.resultUrls.length, seconds: secondsOf(model, more, last.durationSec) };
    return submitted;
  };
  const { exchange, charge } = await charged(meter, work, key);
  return { made, charge, exchange };
}

/** The length to be paid: as asked for, or the model's default. Without either only the record can tell (B-70). */
function secondsOf(model: string, { duration }: MediaOrder['more'] & object, told: number | null): number {
  return typeof duration === 'number' ? duration : (defaultSeconds(model) ?? told ?? 0);
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

/** Judges that a charge is exact to the last digit. */
export function mustCost(
  { charge, exchange }: PaidMedia,
  due: Pico,
  rule: { readonly requirement: string; readonly aspect: string },
  show: (pico: Pico) => string,
): void {
  must(charge === due, { ...rule, expected: show(due), actual: show(charge), exchange });
}

function qualityOf({ quality }: Readonly<Record<string, unknown>>): Pick<Made, 'quality'> {
  return quality === 'low' || quality === 'medium' || quality === 'high' ? { quality } : {};
}
