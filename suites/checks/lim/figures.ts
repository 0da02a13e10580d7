import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import type { Judge } from '../../engine/parts/judge.ts';
import type { JsonObject } from '../../engine/requests.ts';
import { legalRounds } from '../../generators/media-rounds.ts';
import { inTurns } from '../../steps/fields/in-turns.ts';
import { judgeTaken, sendMedia } from '../../steps/fields/judge-legal.ts';
import { enabledModel, fillable, mediaInputsOf } from '../../steps/fields/media-inputs.ts';
import { imagineBody, makeStep, stepBody } from '../../steps/media/workflow.ts';
import type { Exchange } from '../../wire/exchange.ts';

/** A figure of the limits table, with a value just inside and one just outside. */
interface Figure {
  readonly field: string;
  readonly inside: readonly unknown[];
  readonly outside: readonly unknown[];
}

const keys = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
const stops = (count: number): string[] => Array.from({ length: count }, (_, index) => `STOP${index}`);

const ofChat: readonly Figure[] = [
  { field: 'temperature', inside: [0, 2], outside: [-0.01, 2.01] },
  { field: 'stop', inside: [stops(4)], outside: [stops(5)] },
  {
    field: 'metadata',
    inside: [keys(16), { ['k'.repeat(64)]: 'v' }],
    outside: [keys(17), { ['k'.repeat(65)]: 'v' }],
  },
];

/** By model. `vidA-3.1-quality` states no length. */
const ofMedia: Readonly<Record<string, readonly Figure[]>> = {
  'alpha-image-2': [{ field: 'n', inside: [1, 4], outside: [0, 5] }],
  'journey-v7': [
    { field: 'stylize', inside: [0, 1_000], outside: [-1, 1_001] },
    { field: 'weird', inside: [0, 3_000], outside: [-1, 3_001] },
    { field: 'chaos', inside: [0, 100], outside: [-1, 101] },
  ],
  'vidA-3.1-quality': [{ field: 'duration', inside: [8], outside: [7, 9] }],
  vidB2: [{ field: 'duration', inside: [5, 10], outside: [4, 6, 8, 11] }],
  'vidD-02': [{ field: 'duration', inside: [6, 10], outside: [5, 7, 9] }],
  'song-v5': [{ field: 'duration', inside: [30, 240], outside: [29, 241] }],
  'voice-music': [{ field: 'duration', inside: [10, 120], outside: [9, 121] }],
  'voice-v3': [
    { field: 'stability', inside: [0, 1], outside: [-0.01, 1.01] },
    { field: 'style', inside: [0, 1], outside: [-0.01, 1.01] },
  ],
};

const accepts = { requirement: 'LIM-020', aspect: 'inside-accepted' };
const refuses = { requirement: 'LIM-020', aspect: 'outside-refused' };

export const figuresAreEnforced = defineCheck({
  id: 'lim.figures.enforced',
  title: 'each figure of the limits table is enforced: values inside pass, others are refused',
  requirements: ['LIM-020'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    for (const figure of ofChat) await judgeChat(parts, figure);
    await judgeMedia(parts);
    await judgeReferences(parts);
    await judgeIndex(parts);
  },
});

async function judgeChat(
  { target, cases, http, newScene, judge }: CheckParts,
  { field, inside, outside }: Figure,
): Promise<void> {
  const model = target.anyModel();
  const send = (value: unknown): Promise<Exchange> => {
    cases.count();
    return http.chat({ ...newScene().minimal(model), [field]: value }, { label: `${field} at its limit` });
  };
  for (const value of outside) judgeRefused(judge, await send(value), field);
  for (const value of inside) judge.completed(await send(value), { ...accepts, model });
}

async function judgeMedia(parts: CheckParts): Promise<void> {
  const { newScene, target, judge } = parts;
  const stage = mediaInputsOf(parts, newScene());
  const cases = fillable(parts, Object.keys(ofMedia)).flatMap((id) =>
    (ofMedia[id] ?? []).flatMap(({ field, inside, outside }) => [
      ...outside.map((value) => ({ id, field, value, isInside: false })),
      ...inside.map((value) => ({ id, field, value, isInside: true })),
    ]),
  );
  const some = target.few(cases, ({ id, isInside }) => `${id} ${isInside}`);
  await inTurns(target, some, async ({ id, field, value, isInside }) => {
    parts.cases.count();
    const model = enabledModel(target, id);
    const [smallest] = legalRounds(model, stage);
    const body: JsonObject = { ...smallest?.body, [field]: value };
    const exchange = await sendMedia(parts, model, body, { label: `${id}, ${field} ${value}` });
    if (isInside) judgeTaken(parts, model, body, exchange, undefined, accepts);
    else judgeRefused(judge, exchange);
  });
}

/** Judges up to three references with a prompt of the maximum length. */
async function judgeReferences(parts: CheckParts): Promise<void> {
  const { cases, newScene, target, judge } = parts;
  if (!target.hasFile('image')) {
    judge.note('motion-gen4-image was not asked, for want of an input file');
    return;
  }
  cases.count();
  const model = enabledModel(target, 'motion-gen4-image');
  const stage = mediaInputsOf(parts, newScene());
  const { prompt_max: usual, prompt_max_of: others } = target.profile.images;
  const max = others[model.id] ?? usual;
  const links = [1, 2, 3, 4].map((place) => stage.link('image', `limit-${place}`));
  const body = { model: model.id, prompt: 'a'.repeat(max), reference_images: links.slice(0, 3) };
  const send = (changes: JsonObject): Promise<Exchange> =>
    sendMedia(parts, model, { ...body, ...changes }, { label: 'references or prompt at the limit' });
  judgeRefused(judge, await send({ reference_images: links }));
  judgeRefused(judge, await send({ prompt: 'a'.repeat(max + 1) }));
  judgeTaken(parts, model, body, await send({}), undefined, accepts);
}

async function judgeIndex(parts: CheckParts): Promise<void> {
  const { cases, tasks, judge } = parts;
  cases.count();
  const { taskId } = await makeStep(parts, 'imagine', imagineBody(parts));
  for (const index of [0, 5]) judgeRefused(judge, await tasks.submit(stepBody('upscale', taskId, index)));
  for (const index of [1, 4]) tasks.accepted(await tasks.submit(stepBody('upscale', taskId, index)), accepts);
}

/** Judges that the value is refused at all. Another rule requires `invalid_param`. */
function judgeRefused(judge: Judge, exchange: Exchange, param?: string): void {
  const codes = ['invalid_param'] as const;
  const isServed = (exchange.response?.status ?? 500) < 400;
  if (isServed) judge.refused(exchange, { ...refuses, codes });
  else
    judge.known(exchange, {
      code: codes[0],
      own: refuses,
      blames: () => false,
      ...(param === undefined ? {} : { param }),
    });
}
