import { z } from 'zod';
import { flag, intFrom, longText, lyrics, numberFrom, taskId, upstreamId, withDefault } from './fields.ts';
import type { UrlSchema } from './https-url.ts';

/** The actions of song-v5, first step first (specification, "Sub-actions of song-v5"; B-83 to B-85). */
export const songActions = [
  'generate',
  'extend',
  'cover',
  'lyrics',
  'add-vocals',
  'instrumental',
  'mashup',
  'stem',
  'mv',
  'wav',
  'cover-img',
  'replace',
  'persona',
  'upload-extend',
] as const;
export type SongAction = (typeof songActions)[number];

/** A day: no song is longer. */
const maxSeconds = 86_400;
const second = numberFrom(0, maxSeconds);

const common = {
  lyrics: lyrics.nullish(),
  instrumental: withDefault(flag, false),
  duration: withDefault(intFrom(30, 240), 60),
} as const;
const later = { prompt: longText.nullish(), ...common } as const;
const ofParent = { ...later, parent_task_id: taskId } as const;

/** The fields of each action. Those outside the specification's table are our documented extensions (B-84). */
export function songFields(url: UrlSchema) {
  const named = <Action extends SongAction>(action: Action) => ({ action: z.literal(action), ...ofParent });
  return {
    generate: { action: z.literal('generate').nullish(), prompt: longText, ...common },
    extend: named('extend'),
    cover: named('cover'),
    lyrics: named('lyrics'),
    'add-vocals': named('add-vocals'),
    instrumental: named('instrumental'),
    // Two parents: both in the list, or one in its own field and the other in the list.
    mashup: {
      action: z.literal('mashup'),
      ...later,
      parent_task_id: taskId.nullish(),
      parent_task_ids: z
        .array(taskId, 'must be an array of task ids')
        .min(1, 'must not be empty')
        .max(2, 'must have at most 2 entries'),
    },
    stem: named('stem'),
    mv: named('mv'),
    wav: named('wav'),
    'cover-img': named('cover-img'),
    // The section, in seconds from the start of the song.
    replace: { ...named('replace'), start: second.nullish(), end: second.nullish() },
    persona: {
      action: z.literal('persona'),
      ...later,
      parent_task_id: taskId.nullish(),
      persona_id: upstreamId,
    },
    'upload-extend': { action: z.literal('upload-extend'), ...later, audio_url: url },
  } as const satisfies Record<SongAction, z.ZodRawShape>;
}
