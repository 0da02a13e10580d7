import type { Medium } from '../oracle/media/fields.ts';
import { mediaModel } from '../oracle/media/models.ts';
import { smallestBody } from './media-cells.ts';

/** What a legal body is written with: texts and addresses by which its scene is known again at the upstream. */
export interface ValueSource {
  readonly prompt: () => string;
  readonly mediaUrl: (medium: Medium) => string;
}

/**
 * The smallest legal body of a media model; of models with steps that of the first one. `voiceId`: a voice that the
 * deployment has, where it knows some.
 * @throws Error for a model that is not in the catalogue.
 */
export function legalMediaBody(
  id: string,
  source: ValueSource,
  voiceId = 'calm-1',
): Record<string, unknown> & { model: string } {
  const model = mediaModel(id);
  if (model === undefined) throw new Error(`${id} is not in the catalogue`);
  const inputs = {
    prompt: () => source.prompt(),
    link: (medium: Medium) => source.mediaUrl(medium),
    voiceId,
    styleId: '',
    webhookUrl: '',
  };
  return smallestBody(model, inputs, '');
}
