import type { JsonObject } from '../../http/parse-json.ts';
import { type FieldNames, renamed } from './field-names.ts';

/** Names of our fields in the jobs dialect. */
export const jobsNames: FieldNames = {
  prompt: 'prompt_text',
  duration: 'seconds',
  aspect_ratio: 'ratio',
  audio: 'generate_audio',
  image: 'first_frame',
  image_url: 'first_frame',
  video_url: 'source_video',
  audio_url: 'driving_audio',
  camera_motion: 'camera',
  target_resolution: 'output_resolution',
  driver_audio_url: 'driving_audio',
  driver_image_url: 'portrait',
  character_video_url: 'character_video',
  driver_video_url: 'performance_video',
};

/** The body in the jobs dialect. */
export function jobsBody(fields: JsonObject, nativeModel: string): string {
  return JSON.stringify({ model: nativeModel, input: renamed(fields, jobsNames) });
}
