import { type Body, objectIn, objectsIn } from '../../../mutation/json.ts';
import { inRecords, isSubmit, toMedia, without } from '../../../mutation/media-edits.ts';
import type { Mutant } from '../../../mutation/mutant.ts';
import { type Claim, front, upstream } from '../../../mutation/mutant.ts';
import { inErrors } from '../../../mutation/refusal-edits.ts';
import { refusesTask, revealsForeign } from '../../../mutation/task-chain-edits.ts';

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

const films: readonly Mutant[] = [
  inJob(
    ['vid.default-left-out', 'an omitted duration is left to the upstream', 'VID-027', 'default-sent'],
    'vidD-02-native',
    without('seconds', (value) => value === 6),
  ),
  inJob(
    ['vid.default-five-everywhere', 'an omitted duration is 5 s on every model', 'VID-027', 'default-sent'],
    'vidA-3-1-quality-native',
    (input) => {
      input.seconds = 5;
    },
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
    ['vid.directives-tidied', 'blanks after the commas of directives are put right', 'VID-031', 'verbatim'],
    'vidD-02-native',
    (input) => {
      input.prompt_text = String(input.prompt_text).replaceAll(/,(?=\w)/g, ', ');
    },
  ),
  inJob(
    ['vid.ratio-dropped', 'aspect_ratio is not passed on', 'VID-032', 'forwarded'],
    'vidB2-native',
    without('ratio', (ratio) => ratio === '9:16'),
  ),
  inJob(
    ['vid.camera-dropped', 'camera_motion is not passed on', 'VID-032', 'forwarded'],
    'motion-gen3-alpha-turbo-native',
    without('camera'),
  ),
  inJob(
    ['vid.media-swapped', 'the two films of a performance are mixed up', 'VID-033', 'forwarded'],
    'motion-act-two-native',
    (input) => {
      [input.character_video, input.performance_video] = [input.performance_video, input.character_video];
    },
  ),
  inJob(
    ['vid.frame-dropped', 'an optional first frame is not passed on', 'VID-033', 'forwarded'],
    'motion-gen4-native',
    without('first_frame'),
  ),
];

const records: readonly Mutant[] = [
  front(
    ['vid.seven-in-record', 'the record of a fixed length says 7 s', 'VID-010', 'length-in-record'],
    inRecords((record) => {
      if (record.model === 'vidA-3.1-quality' && record.status === 'SUCCESS') record.duration_sec = 7;
    }),
  ),
];
const byTask: readonly Mutant[] = [
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
];

export const mediaValueMutants: readonly Mutant[] = [...films, ...records, ...byTask];
