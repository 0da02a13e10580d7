import { clamped, dropUnknown, kind, link, numbered, strict } from '../../mutation/field-defects.ts';
import type { Mutant } from '../../mutation/mutant.ts';

/** Gateways that are wrong about the fields of speech, music and performances. */
export const audMutants: readonly Mutant[] = [
  kind(
    ['aud.stability-clamped', 'stability beyond its range is the end of it', 'AUD-008', 'outside'],
    'voice-v3',
    (body) => clamped(body, 'stability', 0, 1),
  ),
  kind(['aud.style-text', 'style of speech may be a text', 'AUD-009', 'type'], 'voice-v3', (body) =>
    numbered(body, 'style'),
  ),
  kind(['aud.boost-text', 'use_speaker_boost may be a text', 'AUD-010', 'type'], 'voice-v3', (body) => {
    if (typeof body.use_speaker_boost === 'string') body.use_speaker_boost = true;
  }),
  kind(['aud.silent-speech', 'speech needs no text', 'AUD-005', 'required'], 'voice-v3', (body) => {
    body.text ??= '.';
  }),
  kind(['aud.any-voice', 'speech needs no voice', 'AUD-006', 'required'], 'voice-v3', (body) => {
    body.voice_id ??= 'voice_sea';
  }),
  kind(
    ['aud.unknown-ignored', 'speech ignores fields that nobody knows', 'AUD-012', 'unknown-refused'],
    'voice-v3',
    (body) => dropUnknown(body, (name) => name.startsWith('zz_')),
  ),
  kind(
    ['aud.music-clamped', 'music that is too short is as short as may be', 'AUD-013', 'outside'],
    'voice-music',
    (body) => {
      if (body.duration === 9) body.duration = 10;
    },
  ),
  kind(
    ['aud.shared-bounds', 'music may be as long as a song', 'AUD-002', 'outside'],
    'voice-music',
    (body) => {
      if (Number(body.duration) > 120 && Number(body.duration) <= 240) body.duration = 120;
    },
  ),
  kind(
    ['aud.lyrics-any-type', 'lyrics of another type are ignored', 'AUD-003', 'type'],
    'voice-music',
    (body) => {
      if (typeof body.lyrics !== 'string') delete body.lyrics;
    },
  ),
  kind(
    ['aud.instrumental-any-type', 'an instrumental of another type is ignored', 'AUD-004', 'type'],
    'motion-act-two',
    (body) => {
      if (typeof body.instrumental !== 'boolean') delete body.instrumental;
    },
  ),
  kind(['aud.prompt-optional', 'music needs no prompt', 'AUD-001', 'required'], 'voice-music', (body) => {
    body.prompt ??= 'Something.';
  }),
  kind(
    ['aud.no-performance', 'a performance needs nobody who performs', 'AUD-014', 'required'],
    'motion-act-two',
    (body) => {
      body.driver_video_url ??= link;
    },
  ),
  kind(
    ['song.too-short', 'a song that is too short is as short as may be', 'SONG-004', 'outside'],
    'song-v5',
    (body) => clamped(body, 'duration', 30, 240),
  ),
  kind(['song.lyrics-any-type', 'lyrics may be a number', 'SONG-002', 'type'], 'song-v5', (body) => {
    if (typeof body.lyrics === 'number' || typeof body.lyrics === 'boolean')
      body.lyrics = String(body.lyrics);
  }),
  kind(['song.instrumental-text', 'instrumental may be a text', 'SONG-003', 'type'], 'song-v5', (body) => {
    if (typeof body.instrumental === 'string') body.instrumental = true;
  }),
  kind(
    ['song.prompt-optional', 'a first song needs no prompt', 'SONG-001', 'required'],
    'song-v5',
    (body) => {
      if (body.action === undefined) body.prompt ??= 'Something.';
    },
  ),
  kind(
    ['song.unknown-ignored', 'songs ignore fields that nobody knows', 'SONG-008', 'unknown-refused'],
    'song-v5',
    (body) => dropUnknown(body, (name) => name.startsWith('zz_')),
  ),
  kind(
    ['song.webhook-http', 'a song may have an http webhook_url', 'SONG-007', 'webhook-refused'],
    'song-v5',
    (body) => {
      if (String(body.webhook_url).startsWith('http:')) delete body.webhook_url;
    },
  ),
  kind(
    ['lim.figures-clamped', 'what is beyond a limit is the limit', 'LIM-020', 'outside-refused'],
    'journey-v7',
    (body) => clamped(body, 'chaos', 0, 100),
  ),
  strict(
    ['lim.figures-exclusive', 'a limit itself is out of bounds', 'LIM-020', 'inside-accepted'],
    (body) => body.model === 'voice-v3' && body.style === 1,
    'style',
  ),
];
