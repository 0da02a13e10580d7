import { type Markup, mediaPricing } from '../../engine/declared-price.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import type { Pico } from '../../oracle/money.ts';
import type { Profile } from '../../profile/profile.ts';
import { picturesPaid } from '../media/pictures.ts';
import { defaultSeconds } from '../media/task-models.ts';

/** Images or a task that were asked for, and what came of it. */
export interface MediaOrder {
  readonly model: string;
  /** Members of the request that change a price. */
  readonly request: Readonly<Record<string, unknown>>;
  /** How many images an answer has; null of a task. */
  readonly pictures: number | null;
  /** The end of a task; null when it was not read. */
  readonly end: TaskRecord | null;
}

/** What images or a task may cost by the price list; empty where the price or what was made is not known. */
export function mediaDues(
  profile: Pick<Profile, 'pricing'>,
  { model, request, pictures, end }: MediaOrder,
  markup: Markup,
): Pico[] {
  const chargeFor = mediaPricing(profile, model, markup);
  if (chargeFor === null) return [];
  const { quality } = request;
  const isQuality = quality === 'low' || quality === 'medium' || quality === 'high';
  if (pictures !== null)
    return [chargeFor({ images: pictures, seconds: 0, ...(isQuality ? { quality } : {}) })];
  if (end?.status !== 'SUCCESS') return [];
  const isBySecond = 'per_second' in (profile.pricing.models?.[model] ?? {});
  const lengths = isBySecond ? lengthsOf(model, request.duration, end) : [0];
  return lengths.flatMap((seconds) =>
    picturesPaid(model, request, end).map((images) => chargeFor({ images, seconds })),
  );
}

/**
 * Whole seconds that may have to be paid: as asked for, by default, or as in the record, which may differ.
 * None if the record has none: the length is then unknown.
 */
function lengthsOf(model: string, asked: unknown, { durationSec }: TaskRecord): number[] {
  if (durationSec === null) return [];
  const wanted = typeof asked === 'number' ? asked : defaultSeconds(model);
  const all = [wanted, Math.floor(durationSec), Math.ceil(durationSec)];
  return all.filter((seconds) => seconds !== null).filter(Number.isSafeInteger);
}
