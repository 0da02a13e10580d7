import { objectIn } from '../../../suites/rewrite/json.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import {
  clamped,
  dropUnknown,
  inParams,
  inRecords,
  isModel,
  isSubmit,
  isTaskRead,
  lenient,
  link,
  numbered,
  without,
} from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front } from '../../edits/mutant.ts';
import { idIn, remembering } from '../../edits/task-chain-edits.ts';

const records: readonly Mutant[] = [
  front(['aud.speech-at-once', 'speech comes at once', 'AUD-011', 'never-at-once'], {
    answer: (answer, request) =>
      isSubmit(request) && objectIn(request.body)?.model === 'voice-v3' && answer.status === 200
        ? { ...answer, headers: [['content-type', 'audio/mpeg']], body: Buffer.from('ID3') }
        : answer,
  }),
  front(
    ['aud.read-elsewhere', 'audio tasks are read at another path', 'AUD-015', 'same-record'],
    remembering((tasks) => ({
      request: (request) =>
        isTaskRead(request) && tasks.get(idIn(request))?.body.model === 'voice-music'
          ? refusal('task_not_found')
          : request,
    })),
  ),
  front(
    ['aud.length-off', 'the record of music says a second less', 'AUD-013', 'length-made'],
    inRecords((record) => {
      if (record.model === 'voice-music' && record.status === 'SUCCESS') record.duration_sec = 29;
    }),
  ),
];
const speech = isModel('voice_v3');
const music = isModel('voice-music-native');

const values: readonly Mutant[] = [
  inParams(
    ['aud.model-left-out', 'an omitted model_id is left to the upstream', 'AUD-007', 'default-sent'],
    speech,
    without('voiceModel'),
  ),
  inParams(
    ['aud.stability-zero', 'a stability of 0 counts as missing', 'AUD-008', 'forwarded'],
    speech,
    (params) => {
      if (params.stability === 0) params.stability = 0.5;
    },
  ),
  inParams(['aud.style-default', 'an omitted style is 0', 'AUD-009', 'default-sent'], speech, (params) => {
    if (params.style === 0.3) params.style = 0;
  }),
  // A second mutant: a default may depend on the fields beside it.
  inParams(
    ['aud.style-beside-stability', 'an omitted style is 0 if stability is given', 'AUD-009', 'default-sent'],
    speech,
    (params) => {
      if (params.style === 0.3 && params.stability !== 0.5) params.style = 0;
    },
  ),
  inParams(
    ['aud.boost-false', 'an explicit false counts as missing', 'AUD-010', 'forwarded'],
    speech,
    (params) => {
      params.speakerBoost = true;
    },
  ),
  inParams(
    ['aud.music-default', 'an omitted duration of music is left to the upstream', 'AUD-013', 'default-sent'],
    music,
    without('durationSec', (value) => value === 30),
  ),
];

/** Gateways that are wrong about the fields of speech, music and performances. */
export const audMutants: readonly Mutant[] = [
  lenient(
    ['aud.stability-clamped', 'stability beyond its range is the end of it', 'AUD-008', 'outside'],
    'voice-v3',
    (body) => clamped(body, 'stability', 0, 1),
  ),
  lenient(['aud.style-text', 'style of speech may be a text', 'AUD-009', 'type'], 'voice-v3', (body) =>
    numbered(body, 'style'),
  ),
  lenient(['aud.boost-text', 'use_speaker_boost may be a text', 'AUD-010', 'type'], 'voice-v3', (body) => {
    if (typeof body.use_speaker_boost === 'string') body.use_speaker_boost = true;
  }),
  lenient(['aud.silent-speech', 'speech needs no text', 'AUD-005', 'required'], 'voice-v3', (body) => {
    body.text ??= '.';
  }),
  lenient(['aud.any-voice', 'speech needs no voice', 'AUD-006', 'required'], 'voice-v3', (body) => {
    body.voice_id ??= 'voice_sea';
  }),
  lenient(
    ['aud.unknown-ignored', 'speech ignores unknown fields', 'AUD-012', 'unknown-refused'],
    'voice-v3',
    (body) => dropUnknown(body, (name) => name.startsWith('zz_')),
  ),
  lenient(
    ['aud.music-clamped', 'music that is too short is as short as may be', 'AUD-013', 'outside'],
    'voice-music',
    (body) => {
      if (body.duration === 9) body.duration = 10;
    },
  ),
  lenient(
    ['aud.shared-bounds', 'music may be as long as a song', 'AUD-002', 'outside'],
    'voice-music',
    (body) => {
      if (Number(body.duration) > 120 && Number(body.duration) <= 240) body.duration = 120;
    },
  ),
  lenient(
    ['aud.lyrics-any-type', 'lyrics of another type are ignored', 'AUD-003', 'type'],
    'voice-music',
    (body) => {
      if (typeof body.lyrics !== 'string') delete body.lyrics;
    },
  ),
  lenient(
    ['aud.instrumental-any-type', 'an instrumental of another type is ignored', 'AUD-004', 'type'],
    'motion-act-two',
    (body) => {
      if (typeof body.instrumental !== 'boolean') delete body.instrumental;
    },
  ),
  lenient(['aud.prompt-optional', 'music needs no prompt', 'AUD-001', 'required'], 'voice-music', (body) => {
    body.prompt ??= 'Something.';
  }),
  lenient(
    ['aud.no-performance', 'a performance needs no input video', 'AUD-014', 'required'],
    'motion-act-two',
    (body) => {
      body.driver_video_url ??= link;
    },
  ),
  ...records,
  ...values,
];
