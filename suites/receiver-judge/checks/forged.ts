import type { ReceiverCheck } from '../check.ts';
import type { Draft } from '../session.ts';

/** A request that is not an event is refused. A receiver that accepts it accepts everything. */
export const anything: ReceiverCheck = {
  id: 'receiver.anything',
  title: 'a request that is no event is refused',
  rule: 'RECV-002',
  after: [{ check: 'receiver.fresh' }],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const draft = session.draft();
    const bare = { ...draft, headers: [['content-type', 'application/json'] as const] };
    const delivery = await session.deliver('without any header of an event', bare, 0);
    const what = 'a POST without id, timestamp and signature';
    caseJudge.refuses(delivery, { requirement: 'RECV-002', aspect: 'anything', what });
    await caseJudge.stillAccepts();
  },
};

/** An event made without the secret is refused. */
export const forged: ReceiverCheck = {
  id: 'receiver.forged',
  title: 'an event without a good signature is refused',
  rule: 'RECV-003',
  after: [{ check: 'receiver.fresh' }, { check: 'receiver.anything' }],
  run: async (caseJudge) => {
    const { session, rng } = caseJudge;
    const genuine = session.draft();
    const right = signatureIn(genuine);
    const secret = `whsec_${Buffer.from(rng.hex(64), 'hex').toString('base64')}`;
    const zeros = Buffer.alloc(32).toString('base64');
    const forgeries: readonly (readonly [aspect: string, what: string, draft: Draft])[] = [
      ['other-secret', 'an event signed with another secret', session.draft({ secrets: [secret] })],
      ['unsigned', 'an event without webhook-signature', withSignature(session.draft(), null)],
      ['made-up', 'an event with a made-up signature', withSignature(session.draft(), `v1,${zeros}`)],
      ['cut-short', 'an event with an empty signature', withSignature(session.draft(), 'v1,')],
      [
        'cut-short',
        'an event with the beginning of its signature',
        withSignature(genuine, right.slice(0, 11)),
      ],
      ['of-another', 'an event with the signature of another one', withSignature(session.draft(), right)],
    ];
    for (const [aspect, what, draft] of forgeries)
      caseJudge.refuses(await session.deliver(what, draft, 0), { requirement: 'RECV-003', aspect, what });
    await caseJudge.stillAccepts();
  },
};

/** The signature of a draft that has one. */
function signatureIn({ headers }: Draft): string {
  return headers.find(([name]) => name === 'webhook-signature')?.[1] ?? '';
}

/** The draft with another signature, or with none. */
export function withSignature(draft: Draft, signature: string | null): Draft {
  const others = draft.headers.filter(([name]) => name !== 'webhook-signature');
  return {
    ...draft,
    headers: signature === null ? others : [...others, ['webhook-signature', signature] as const],
  };
}
