import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { compatFaces, coreFace, type Face } from '../../steps/faces/face.ts';
import { streamsOn } from '../../steps/faces/facing.ts';

/** A way in which a model can be asked. */
export interface CallForm {
  readonly face: Face;
  readonly stream: boolean;
}

/** All the ways to ask a model that the deployment has: plain and streamed, on the core path and on its compat path. */
export async function formsOf(parts: CheckParts, model: string): Promise<CallForm[]> {
  const forms = [false, true].map((stream): CallForm => ({ face: coreFace, stream }));
  for (const face of compatFaces) {
    if (!face.serves(model) || (face.fact !== null && parts.target.profile.absent.includes(face.fact)))
      continue;
    forms.push({ face, stream: false });
    if (await streamsOn(parts, { face, model })) forms.push({ face, stream: true });
  }
  return forms;
}
