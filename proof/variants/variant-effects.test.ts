import { afterEach, describe, expect, it } from 'vitest';
import type { Variant } from '../edits/mutant.ts';
import { answerEffects } from '../testing/answer-effects.ts';
import { effectsOnA } from '../testing/compat-a-effects.ts';
import { effectsOnB } from '../testing/compat-b-effects.ts';
import { eventEffects } from '../testing/event-effects.ts';
import { headEffects } from '../testing/head-effects.ts';
import { lenientEffects } from '../testing/lenient-effects.ts';
import { mediaEffects } from '../testing/media-effects.ts';
import { mediaReadingEffects } from '../testing/media-reading-effects.ts';
import { silentEffects } from '../testing/silent-effects.ts';
import { streamEffects } from '../testing/stream-effects.ts';
import { strictEffects } from '../testing/strict-effects.ts';
import { type Probe, startProbe } from '../testing/variant-probe.ts';
import { combinedVariants, singleVariants } from './variants.ts';

/** The observable effect of each variant. A variant without an effect would prove nothing. */
type Effect = (probe: Probe) => Promise<void>;

const effects: Readonly<Record<string, Effect>> = {
  ...answerEffects,
  ...streamEffects,
  ...headEffects,
  ...lenientEffects,
  ...strictEffects,
  ...effectsOnA,
  ...effectsOnB,
  ...mediaEffects,
  ...mediaReadingEffects,
  ...eventEffects,
  ...silentEffects,
};

let probe: Probe | null = null;
afterEach(async () => {
  await probe?.close();
  probe = null;
});

const effectOf = (id: string): Effect =>
  effects[id] ?? (() => Promise.reject(new Error(`no effect of ${id}`)));

it('each variant has an effect here, and each effect a variant', () => {
  expect(Object.keys(effects).toSorted()).toEqual(singleVariants.map((variant) => variant.id).toSorted());
});

it.each(singleVariants)('$id takes effect', async (variant) => {
  probe = await startProbe(variant);
  await effectOf(variant.id)(probe);
});

describe.each(combinedVariants)('combined in $id', (combined: Variant) => {
  const parts = combined.title.split(': ')[1]?.split(', ') ?? [];
  it.each(parts)('%s still takes effect', async (id) => {
    probe = await startProbe(combined);
    await effectOf(id)(probe);
  });
});
