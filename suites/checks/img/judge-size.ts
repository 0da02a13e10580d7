import type { Fetched } from '../../engine/fetch-media.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { must } from '../../rules/violation.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** Judges that a picture is no larger than its model promises, in either orientation (reading B-55). */
export function judgeSize(model: string, { sniffed }: Fetched, exchange: Exchange): void {
  const max = mediaModel(model)?.maxPixels ?? null;
  if (max === null || sniffed.kind !== 'image') return;
  const [long, short] = max;
  const { width, height } = sniffed;
  const rule = { requirement: 'IMG-028', aspect: 'within-most-pixels', exchange };
  const expected = `a picture of at most ${long}x${short}, in either orientation`;
  const actual = `${width}x${height} of ${model}`;
  must(Math.max(width, height) <= long && Math.min(width, height) <= short, { ...rule, expected, actual });
}
