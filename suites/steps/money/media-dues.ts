import { type Markup, mediaPricing } from '../../engine/declared-price.ts';
import type { TaskRecord } from '../../oracle/media/task-answer.ts';
import type { Pico } from '../../oracle/money.ts';
import type { Profile } from '../../profile/profile.ts';
import { picturesPaid } from '../media/pictures.ts';
import { defaultSeconds } from '../media/task-models.ts';

/** A request for images or a task, and its result. */
export interface MediaOrder {
  readonly model: string;
  /** Members of the request that change a price. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The number of images in an answer; null for a task. */
  readonly pictures: number | null;
  /** The end of a task; null when it was not read. */
  readonly end: TaskRecord | null;
}

/** The possible charges for images or a task by the price list; empty when the price or the result is unknown. */
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
 * The whole seconds that may be charged: as requested, by default, or as in the record. Empty if the record has no length,
 * because the length is then unknown.
 */
function lengthsOf(model: string, asked: unknown, { durationSec }: TaskRecord): number[] {
  if (durationSec === null) return [];
  const wanted = typeof asked === 'number' ? asked : defaultSeconds(model);
  const all = [wanted, Math.floor(durationSec), Math.ceil(durationSec)];
  return all.filter((seconds) => seconds !== null).filter(Number.isSafeInteger);
}
