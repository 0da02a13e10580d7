import { type Body, objectIn } from '../../../suites/rewrite/json.ts';
import { refusal } from '../../../suites/rewrite/refusal-edits.ts';
import { isSubmit, lenient, refusedLate } from '../../edits/media-edits.ts';
import type { Claim, Mutant } from '../../edits/mutant.ts';
import { front, upstream } from '../../edits/mutant.ts';
import { oneJob, ownKeyAlone, takesParent } from '../../edits/task-chain-edits.ts';

/** Gateways that validate a follow-up less strictly than a first song. */
export const followUpMutants: readonly Mutant[] = [
  loose(
    ['song.follow-up-prompt', 'the prompt of a follow-up may have any type', 'SONG-001', 'type'],
    (body) => {
      if (body.prompt !== undefined) body.prompt = String(body.prompt);
    },
  ),
  front(
    [
      'song.refused-too-late',
      'a wrong follow-up is refused when its job is there',
      'SONG-008',
      'nothing-made',
    ],
    refusedLate(
      (request) => {
        const body = isSubmit(request) ? objectIn(request.body) : null;
        if (body === null || !isFollowUp(body) || !Object.hasOwn(body, 'zz_unknown')) return null;
        const { zz_unknown: _, ...rest } = body;
        return rest;
      },
      refusal('invalid_param', 'zz_unknown'),
    ),
  ),
  front(
    ['song.own-key-alone', 'only the key that made a song can continue it', 'SONG-006', 'other-key-accepted'],
    ownKeyAlone('song-v5', 'parent_task_id'),
  ),
  front(
    ['song.grid-as-parent', 'an image may be the parent of a song', 'SONG-006', 'other-kind-refused'],
    takesParent(({ body }, step) => step.model === 'song-v5' && body.model === 'journey-v7'),
  ),
  front(
    ['song.failed-as-parent', 'a song that failed may be a parent', 'SONG-006', 'no-result-refused'],
    takesParent(({ status }, step) => step.model === 'song-v5' && status === 'FAILED'),
  ),
  upstream(
    ['song.equal-one-job', 'equal follow-ups are one job', 'SONG-023', 'own-job'],
    oneJob((body) => body.task === 'wav'),
  ),
];

function isFollowUp({ model, parent_task_id: parent }: Body): boolean {
  return model === 'song-v5' && typeof parent === 'string';
}

function loose(claim: Claim, repair: (body: Body) => void): Mutant {
  return lenient(claim, 'song-v5', (body) => {
    if (isFollowUp(body)) repair(body);
  });
}
