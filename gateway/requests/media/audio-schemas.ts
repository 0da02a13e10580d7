import { flag, intFrom, longText, numberFrom, upstreamId, withDefault } from './fields.ts';

/**
 * The fields of the speech and background music models (specification, "Audio and music fields"; B-82, B-86,
 * B-87).
 */
export const audioFields = {
  'voice-v3': {
    text: longText,
    voice_id: upstreamId,
    model_id: withDefault(upstreamId, 'voice_v3'),
    stability: withDefault(numberFrom(0, 1), 0.5),
    style: withDefault(numberFrom(0, 1), 0.3),
    use_speaker_boost: withDefault(flag, true),
  },
  'voice-music': { prompt: longText, duration: withDefault(intFrom(10, 120), 30) },
} as const;
