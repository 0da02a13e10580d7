import {
  isSubmit,
  lenient,
  link,
  lowered,
  numbered,
  refusedAfterwards,
  strict,
} from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';

/** Gateways that are wrong about the fields of video models. */
export const videoFieldMutants: readonly Mutant[] = [
  lenient(
    ['vid.seven-seconds', 'vidA-3.1-quality takes any duration and makes 8 s', 'VID-008', 'outside'],
    'vidA-3.1-quality',
    (body) => {
      if (typeof body.duration === 'number') body.duration = 8;
    },
  ),
  lenient(['vid.audio-text', 'audio may be a text', 'VID-011', 'type'], 'vidA-3.1-fast', (body) => {
    if (typeof body.audio === 'string') body.audio = body.audio === 'true';
  }),
  lenient(['vid.square', 'vidB2 takes 1:1 and makes the nearest', 'VID-012', 'outside'], 'vidB2', (body) => {
    if (body.aspect_ratio === '2:1' || body.aspect_ratio === '720p' || body.aspect_ratio === '')
      body.aspect_ratio = '16:9';
  }),
  lenient(
    ['vid.no-first-frame', 'an image-to-video model works without an image', 'VID-013', 'required'],
    'motion-gen3-alpha-turbo',
    (body) => {
      body.image_url ??= link;
    },
  ),
  lenient(
    ['vid.typical-seconds', 'typical durations become the nearest one of the model', 'VID-003', 'outside'],
    'motion-gen4',
    (body) => {
      if ([4, 6, 8].includes(Number(body.duration))) body.duration = 5;
    },
  ),
  lenient(
    ['vid.any-source', 'a source video may be any text', 'VID-007', 'no-link'],
    'motion-aleph',
    (body) => {
      if (typeof body.video_url === 'string' && !body.video_url.startsWith('https://')) body.video_url = link;
    },
  ),
  lenient(
    ['vid.seconds-text', 'a duration may be a text', 'VID-002', 'type'],
    'vidC-v21-master-i2v',
    (body) => numbered(body, 'duration'),
  ),
  strict(
    ['vid.ten-refused', 'one of the durations is refused', 'VID-018', 'accepts-legal'],
    (body) => body.model === 'vidC-v25-i2v-pro' && body.duration === 10,
    'duration',
  ),
  lenient(
    ['vid.prompt-optional', 'a video may be made without a prompt', 'VID-001', 'required'],
    'vidC-v25-t2v-pro',
    (body) => {
      body.prompt ??= 'Something.';
    },
  ),
  lenient(
    ['vid.mute-avatar', 'an avatar needs no audio', 'VID-020', 'required'],
    'vidC-avatar-std',
    (body) => {
      body.audio_url ??= link;
    },
  ),
  lenient(
    ['vid.faceless-avatar', 'an avatar may be a number', 'VID-021', 'type'],
    'vidC-avatar-pro',
    (body) => {
      if (typeof body.image_url === 'number' || typeof body.image_url === 'boolean') body.image_url = link;
    },
  ),
  lenient(
    ['vid.five-on-six', 'vidD-02 makes 5 s like the others', 'VID-022', 'outside'],
    'vidD-02',
    (body) => {
      if (body.duration === 5) body.duration = 6;
    },
  ),
  strict(
    ['vid.webhook-refused', 'tasks take no webhook_url', 'TASK-007', 'webhook-accepted'],
    (body) => body.model === 'delta-imagine-t2v' && /^https:\/\/./.test(String(body.webhook_url)),
    'webhook_url',
  ),
  lenient(
    ['vid.four-k', 'the case of target_resolution does not matter', 'VID-025', 'spelling'],
    'upscale-video',
    (body) => lowered(body, 'target_resolution'),
  ),
  strict(
    ['vid.talk-prompt', 'talk-audio needs a prompt', 'VID-026', 'accepts-legal'],
    (body) => body.model === 'talk-audio' && body.prompt === undefined && Object.keys(body).length === 3,
    'prompt',
  ),
  lenient(
    ['vid.resolution-any', 'an unknown resolution is ignored', 'TASK-005', 'outside'],
    'motion-gen4',
    (body) => {
      if (!/^\d+p$/.test(String(body.resolution))) delete body.resolution;
    },
  ),
  lenient(
    ['vid.ratio-any', 'an unknown aspect_ratio is ignored', 'VID-005', 'outside'],
    'delta-imagine-i2v',
    (body) => {
      delete body.aspect_ratio;
    },
  ),
  lenient(
    ['vid.image-any', 'an image of another type is ignored', 'VID-006', 'type'],
    'motion-aleph',
    (body) => {
      if (typeof body.image !== 'string') delete body.image;
    },
  ),
  front(
    ['vid.refused-too-late', 'an unknown field is refused when the job is there', 'TASK-004', 'nothing-made'],
    refusedAfterwards(isSubmit),
  ),
  strict(
    ['vid.handheld', 'one of the camera directives is refused', 'VID-029', 'directive-accepted'],
    (body) => /^\[Handheld\]/.test(String(body.prompt)),
    'prompt',
  ),
  strict(
    [
      'vid.one-directive',
      'only one camera directive may stand in a pair of brackets',
      'VID-030',
      'combination-accepted',
    ],
    (body) => /^\[[^\]]*,/.test(String(body.prompt)),
    'prompt',
  ),
];
