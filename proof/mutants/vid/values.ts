import { type Body, objectIn, objectsIn } from '../../../suites/rewrite/json.ts';
import type { Mutation } from '../../../suites/rewrite/mutation.ts';
import { inErrors } from '../../../suites/rewrite/refusal-edits.ts';
import { inRecords, isSubmit, toMedia, without } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { type Claim, front, upstream } from '../../edits/mutant.ts';
import {
  ownKeyAlone,
  refusesTask,
  remembering,
  revealsForeign,
  takesParent,
} from '../../edits/task-chain-edits.ts';

/** Gateways that do not pass fields on as given. */

/** Changes the fields of submissions for one model, by its native name. */
function inJob(claim: Claim, model: string | null, edit: (input: Body) => void): Mutant {
  return upstream(
    claim,
    toMedia('jobs', (body) => {
      const [input] = objectsIn([body.input]);
      if (input !== undefined && (model === null || body.model === model)) edit(input);
    }),
  );
}

export const films: readonly Mutant[] = [
  inJob(
    ['vid.default-left-out', 'an omitted duration is left to the upstream', 'VID-027', 'default-sent'],
    'vidD-02-native',
    without('seconds', (value) => value === 6),
  ),
  inJob(
    ['vid.audio-left-out', 'an omitted audio is left to the upstream', 'VID-028', 'default-sent'],
    null,
    without('generate_audio', (value) => value === true),
  ),
  inJob(
    ['vid.audio-false-dropped', 'an explicit audio false counts as missing', 'VID-028', 'forwarded'],
    null,
    (input) => {
      if (input.generate_audio === false) input.generate_audio = true;
    },
  ),
  inJob(
    ['vid.brackets-stripped', 'brackets of a prompt are stripped', 'VID-031', 'verbatim'],
    'vidD-02-native',
    (input) => {
      input.prompt_text = String(input.prompt_text).replaceAll(/[[\]]/g, '');
    },
  ),
  inJob(
    ['vid.ratio-dropped', 'aspect_ratio is not passed on', 'VID-032', 'forwarded'],
    'vidB2-native',
    without('ratio', (ratio) => ratio === '9:16'),
  ),
  inJob(
    ['vid.prompt-cut', 'the prompt of a video is cut at 3,000 characters', 'VID-034', 'text-whole'],
    'vidB2-native',
    (input) => {
      input.prompt_text = String(input.prompt_text).slice(0, 3_000);
    },
  ),
  inJob(
    ['vid.media-swapped', 'the two videos of a performance are swapped', 'VID-033', 'forwarded'],
    'motion-act-two-native',
    (input) => {
      [input.character_video, input.performance_video] = [input.performance_video, input.character_video];
    },
  ),
];

export const records: readonly Mutant[] = [
  front(
    ['vid.seven-in-record', 'the record of a fixed length says 7 s', 'VID-010', 'length-in-record'],
    inRecords((record) => {
      if (record.model === 'vidA-3.1-quality' && record.status === 'SUCCESS') record.duration_sec = 7;
    }),
  ),
];
export const byTask: readonly Mutant[] = [
  front(
    ['vid.image-task-refused', 'an image may not be named by its task', 'VID-009', 'task-accepted'],
    refusesTask((body) => typeof body.image === 'object' && body.image !== null, 'image'),
  ),
  front(
    [
      'vid.image-task-told',
      'a foreign image task is refused unlike an unknown one',
      'VID-009',
      'foreign-like-unknown',
    ],
    revealsForeign(),
  ),
  front(
    [
      'vid.image-task-unnamed',
      'an unknown image task is refused without naming the field',
      'VID-009',
      'param',
    ],
    inErrors((error, _, request) => {
      const { image } = objectIn(request.body) ?? {};
      if (isSubmit(request) && typeof image === 'object') error.param = null;
    }),
  ),
  front(
    [
      'vid.own-key-alone',
      'an image task of another key of the account is refused',
      'VID-009',
      'other-key-accepted',
    ],
    ownKeyAlone('vidA-3.1-quality', 'image'),
  ),
  front(
    ['vid.film-as-image', 'a video task may be the image of another', 'VID-009', 'other-kind-refused'],
    takesParent(({ body: { model } }, { image }) => image !== undefined && model !== 'journey-v7'),
  ),
  front(
    ['vid.failed-as-image', 'an image may be named by a task that failed', 'VID-009', 'no-result-refused'],
    takesParent(({ status }, { image }) => image !== undefined && status === 'FAILED'),
  ),
  front(
    ['vid.fast-image-task', 'vidA-3.1-fast takes an image by its task', 'VID-011', 'task-refused'],
    takesParent((_, { model, image }) => model === 'vidA-3.1-fast' && image !== undefined),
  ),
  front(
    [
      'vid.grid-alone-as-image',
      'an upscaled image cannot be the image of a video',
      'VID-009',
      'upscale-accepted',
    ],
    remembering((tasks) =>
      refusesTask(({ image }) => {
        const { task_id: id } = (image ?? {}) as { task_id?: unknown };
        return tasks.get(String(id))?.body.action === 'upscale';
      }, 'image'),
    ),
  ),
  upstream(
    ['vid.image-of-grid', 'every image named by its task is the same one', 'VID-009', 'picture-of-task'],
    firstPictureAgain(),
  ),
];

/** Every video begins with the image of the first image task. */
function firstPictureAgain(): Mutation {
  let first: unknown;
  return toMedia('jobs', ({ input }) => {
    const { first_frame: frame } = (input ?? {}) as { first_frame?: unknown };
    if (typeof frame !== 'string' || !frame.startsWith('http') || frame.includes('media.example')) return;
    first ??= frame;
    Object.assign(input as object, { first_frame: first });
  });
}
