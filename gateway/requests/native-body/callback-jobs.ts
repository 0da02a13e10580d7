import type { JsonObject } from '../../http/parse-json.ts';
import { type FieldNames, renamed } from './field-names.ts';

/** Names of our fields in the callback-jobs dialect. */
export const callbackJobsNames: FieldNames = {
  aspect_ratio: 'ratio',
  lyrics: 'lyric',
  instrumental: 'makeInstrumental',
  duration: 'durationSec',
  audio_url: 'uploadUrl',
  persona_id: 'personaId',
  start: 'sectionStart',
  end: 'sectionEnd',
  voice_id: 'voiceId',
  model_id: 'voiceModel',
  use_speaker_boost: 'speakerBoost',
};

/** The dialect's name for the only task of a model without steps. */
const onlyTask: Readonly<Record<string, string>> = { 'voice-v3': 'speak', 'voice-music': 'music' };

export interface CallbackJob {
  readonly model: string;
  /** The step of a chain; null for models without steps. */
  readonly action: string | null;
  readonly fields: JsonObject;
  /** Our name for the job, by which it can be looked up. */
  readonly reference: string;
  /** The upstream's ids of the parent jobs. */
  readonly parents: readonly string[];
  /** The URL for the upstream's callbacks; null for polling only. */
  readonly callbackUrl: string | null;
}

/** The body in the callback-jobs dialect. */
export function callbackJobsBody(job: CallbackJob, nativeModel: string): string {
  const [parent, second] = job.parents;
  return JSON.stringify({
    model: nativeModel,
    task: job.action ?? onlyTask[job.model],
    reference: job.reference,
    params: renamed(job.fields, callbackJobsNames),
    ...(job.callbackUrl !== null && { callback_url: job.callbackUrl }),
    ...(second !== undefined ? { parents: [parent, second] } : parent !== undefined && { parent }),
  });
}
