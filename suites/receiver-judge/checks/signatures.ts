import { signatureOf } from '../../oracle/webhooks/sign.ts';
import type { ReceiverCheck } from '../check.ts';
import { withSignature } from './forged.ts';

const requirement = 'RECV-006';

/** While secrets are rotated an event has several signatures, and one known signature is enough. */
export const signatures: ReceiverCheck = {
  id: 'receiver.signatures',
  title: 'one good signature among several is enough',
  rule: requirement,
  after: [{ check: 'receiver.fresh' }],
  run: async (caseJudge) => {
    const { session, rng } = caseJudge;
    const other = `whsec_${Buffer.from(rng.hex(64), 'hex').toString('base64')}`;
    const cases: readonly (readonly [what: string, secrets: readonly string[]])[] = [
      ['an event signed with another secret and then with this one', [other, session.secret]],
      ['an event signed with this secret and then with another one', [session.secret, other]],
    ];
    for (const [what, secrets] of cases)
      caseJudge.accepts(await session.deliver(what, session.draft({ secrets }), 1), {
        requirement,
        aspect: 'several',
        what,
      });
    const draft = session.draft();
    const unknown = `v2,${rng.hex(64)} v1a,${rng.hex(86)} ${signatureOf(session.secret, draft)}`;
    const what = 'an event with signatures of unknown versions before the good one';
    const delivery = await session.deliver(what, withSignature(draft, unknown), 1);
    caseJudge.accepts(delivery, { requirement, aspect: 'unknown-version', what });
  },
};
