import type { Medium } from '../oracle/media/fields.ts';
import { mediaModel } from '../oracle/media/models.ts';
import { smallestBody } from './media-cells.ts';

/** The values of a legal body: texts and URLs by which the upstream's journal finds its scene. */
export interface ValueSource {
  readonly prompt: () => string;
  readonly mediaUrl: (medium: Medium) => string;
}

/**
 * The smallest legal body of a media model; for models with steps, that of the first step.
 * `voiceId`: a voice that the deployment has, if it declares any.
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
    hasFile: () => true,
    voiceId,
    styleId: '',
    webhookUrl: '',
  };
  return smallestBody(model, inputs, '');
}
