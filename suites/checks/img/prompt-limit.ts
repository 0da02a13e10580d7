import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { smallestBody } from '../../generators/media-cells.ts';
import { type MediaModel, mediaModels } from '../../oracle/media/models.ts';
import { type Finding, must } from '../../rules/violation.ts';
import { inTurns } from '../../steps/fields/in-turns.ts';
import { judgeTaken, sendMedia } from '../../steps/fields/judge-legal.ts';
import { enabledModels, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A prompt near the length limit, filled with one repeated text. */
interface Length {
  readonly title: string;
  readonly filler: string;
  readonly count: (max: number) => number;
  readonly verdict: 'accept' | 'advise' | 'refuse';
  readonly requirement: 'IMG-008' | 'IMG-009';
}

const lengths: readonly Length[] = [
  { title: 'one too many', filler: 'a', count: (max) => max + 1, verdict: 'refuse', requirement: 'IMG-008' },
  {
    title: 'one too many, of four bytes',
    filler: '𝒮',
    count: (max) => max + 1,
    verdict: 'refuse',
    requirement: 'IMG-009',
  },
  {
    title: 'as many as allowed',
    filler: 'a',
    count: (max) => max,
    verdict: 'accept',
    requirement: 'IMG-008',
  },
  {
    title: 'as many, of two bytes',
    filler: 'é',
    count: (max) => max,
    verdict: 'accept',
    requirement: 'IMG-009',
  },
  // Half as many, so that it does not matter whether surrogates count as characters.
  {
    title: 'half as many, of four bytes',
    filler: '𝒮',
    count: (max) => Math.floor(max / 2),
    verdict: 'accept',
    requirement: 'IMG-009',
  },
  {
    title: 'as many, of four bytes',
    filler: '😀',
    count: (max) => max,
    verdict: 'advise',
    requirement: 'IMG-009',
  },
];

export const promptLimit = defineCheck({
  id: 'img.prompt.limit',
  title: 'image models accept a prompt of 4000 characters and refuse 4001, whatever the byte count',
  requirements: ['IMG-008', 'IMG-009'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const models = enabledModels(
      parts.target,
      mediaModels.filter(({ medium }) => medium === 'image'),
    );
    for (const length of lengths) {
      const findings: (readonly [MediaModel, Finding])[] = [];
      await inTurns(parts.target, modelsFor(parts, models, length), async (model) => {
        const finding = await judgeLength(parts, model, length);
        if (finding !== null) findings.push([model, finding]);
      });
      reportAll(parts, findings, length);
    }
  },
});

/** All models for the limit itself, and some for the definition of a character. */
function modelsFor(
  { cases, rng }: CheckParts,
  models: readonly MediaModel[],
  { requirement }: Length,
): readonly MediaModel[] {
  return cases.full || requirement === 'IMG-008' ? models : rng.shuffle(models).slice(0, 3);
}

async function judgeLength(parts: CheckParts, model: MediaModel, length: Length): Promise<Finding | null> {
  const { cases, target, newScene, judge } = parts;
  cases.count();
  const { prompt_max: usual, prompt_max_of: others } = target.profile.images;
  const count = length.count(others[model.id] ?? usual);
  const inputs = mediaInputsOf(parts, newScene());
  const plain = smallestBody(model, inputs, 'l');
  const start = `${String(plain.prompt)} `;
  const prompt = start + length.filler.repeat(count - [...start].length);
  const body = { ...plain, prompt };
  const label = `${model.id}, ${count} characters: ${length.title}`;
  const exchange = await sendMedia(parts, model, body, { label });
  const status = exchange.response?.status ?? 0;
  const { requirement, verdict } = length;
  if (verdict === 'refuse') {
    if (status < 200 || status > 299) {
      const rule = { requirement, aspect: 'too-long', param: 'prompt', paramRule: requirement };
      judge.refused(exchange, { ...rule, codes: ['invalid_param'] });
      return null;
    }
    const expected = `a prompt of ${count} characters refused`;
    return finding(model, exchange, { requirement, aspect: 'too-long', expected });
  }
  if (status >= 200 && status < 300) {
    judgeTaken(parts, model, body, exchange);
    return null;
  }
  const aspect = requirement === 'IMG-008' ? 'accepts-limit' : 'characters-not-bytes';
  const expected = `a prompt of ${count} characters accepted (${length.title})`;
  return finding(model, exchange, { requirement, aspect, expected });
}

function finding(
  model: MediaModel,
  exchange: Exchange,
  { requirement, aspect, expected }: Pick<Finding, 'requirement' | 'aspect' | 'expected'>,
): Finding {
  const actual = `${model.id} answers HTTP ${exchange.response?.status ?? '(none)'}`;
  return { requirement, aspect, expected, actual, exchange };
}

/** The specification says "most models", so a single model may have another limit (reading B-51). */
function reportAll(
  { target, judge }: CheckParts,
  findings: readonly (readonly [MediaModel, Finding])[],
  { verdict }: Length,
): void {
  const [first] = findings;
  if (first === undefined) return;
  const isOnlyOne =
    findings.length === 1 && target.mediaModels.length > 1 && first[1].requirement === 'IMG-008';
  if (verdict === 'advise' || isOnlyOne) judge.advise(first[1]);
  else must(false, first[1]);
}
