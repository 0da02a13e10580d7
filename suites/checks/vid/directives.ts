import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { inTurns } from '../../steps/fields/in-turns.ts';
import { judgeTaken, sendMedia } from '../../steps/fields/judge-legal.ts';
import { enabledModel, mediaInputsOf } from '../../steps/fields/media-inputs.ts';

/** The camera directives of vidD-02 ("Video per-model parameters"). */
export const directives: readonly string[] = [
  'Pan Right',
  'Pan Left',
  'Tilt Up',
  'Tilt Down',
  'Zoom In',
  'Zoom Out',
  'Tracking Shot',
  'Dolly In',
  'Dolly Out',
  'Static',
  'Handheld',
];

/** Legal brackets that a gateway which parses them might rewrite, split or drop. */
export const bracketedPrompts: readonly string[] = [
  '[Pan Right]',
  '[Zoom In, Tilt Up,Static]',
  '[Handheld] A boat. [Dolly Out, Pan Left]',
  `[${directives.join(', ')}]`,
];

export const single = defineCheck({
  id: 'vid.directives.single',
  title: 'vidD-02 takes each of the eleven camera directives in a prompt',
  requirements: ['VID-029'],
  kind: 'example',
  needs: [],
  run: (parts) =>
    judgePrompts(
      parts,
      parts.target.few(directives).map((directive) => `[${directive}]`),
      { requirement: 'VID-029', aspect: 'directive-accepted' },
    ),
});

export const combined = defineCheck({
  id: 'vid.directives.combined',
  title: 'vidD-02 takes several camera directives in one pair of brackets, in any order',
  requirements: ['VID-030'],
  kind: 'example',
  needs: [],
  run: (parts) => {
    const shuffled = parts.rng.shuffle(directives);
    const pairs = [shuffled.slice(0, 2), shuffled.slice(2, 5), shuffled.slice(5, 11)];
    const prompts = [...pairs.map((names) => `[${names.join(', ')}]`), `[${directives.join(',')}]`];
    return judgePrompts(parts, prompts, { requirement: 'VID-030', aspect: 'combination-accepted' });
  },
});

async function judgePrompts(
  parts: CheckParts,
  brackets: readonly string[],
  rule: { readonly requirement: string; readonly aspect: string },
): Promise<void> {
  const { newScene, cases, target } = parts;
  const model = enabledModel(target, 'vidD-02');
  const inputs = mediaInputsOf(parts, newScene());
  await inTurns(target, brackets, async (bracket) => {
    cases.count();
    const body = { model: model.id, prompt: `${bracket} ${inputs.prompt('b')}` };
    const exchange = await sendMedia(parts, model, body, { label: bracket });
    judgeTaken(parts, model, body, exchange, undefined, rule);
  });
}
