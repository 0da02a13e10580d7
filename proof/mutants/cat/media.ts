import { editAnswer } from '../../../suites/rewrite/mutation.ts';
import { isReading, refusal, says } from '../../../suites/rewrite/refusal-edits.ts';
import { isImagesPath, isSubmit, modelOf, takenTask } from '../../edits/media-edits.ts';
import type { Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { dropHint, hintedAtUpstream, hintsTurns } from '../../edits/native-edits.ts';

const hints: readonly Mutant[] = [
  upstream(
    ['cat.hint-elsewhere', 'hints reach upstreams of other models', 'CAT-014', 'elsewhere'],
    hintsTurns,
  ),
  upstream(
    ['cat.hint-dropped', 'no cache hint reaches an upstream', 'CAT-014', 'honoured'],
    hintedAtUpstream(dropHint),
  ),
];

/** Gateways whose catalogue is wrong about media or about cache hints. */
export const catMediaMutants: readonly Mutant[] = [
  front(
    ['cat.media.forgotten', 'vector-v3 is not a model', 'CAT-016', 'known-where-served'],
    says(
      (request) => isImagesPath(request) && modelOf(request) === 'vector-v3',
      refusal('model_not_found', 'model'),
    ),
  ),
  front(
    ['cat.media.two-endpoints', 'kontext-pro is accepted as a task too', 'CAT-016', 'own-endpoint-only'],
    says((request) => isSubmit(request) && modelOf(request) === 'kontext-pro', takenTask),
  ),
  front(
    ['cat.media.any-case', 'vidb2 is a model', 'CAT-016', 'near-miss'],
    says((request) => isSubmit(request) && modelOf(request) === 'vidb2', refusal('invalid_param', 'prompt')),
  ),
  front(
    ['cat.media.chat-as-task', 'chat models are accepted as tasks', 'CAT-016', 'chat-at-chat-only'],
    says((request) => isSubmit(request) && modelOf(request) === 'delta-3', takenTask),
  ),
  front(['cat.media.unlisted', 'motion-act-two is not listed', 'EP-010', 'listed'], {
    answer: editAnswer((body, answer, request) => {
      if (!isReading(request) || answer.status !== 200 || !Array.isArray(body.data)) return;
      body.data = body.data.filter((entry: { id?: unknown }) => entry.id !== 'motion-act-two');
    }),
  }),
  ...hints,
];
