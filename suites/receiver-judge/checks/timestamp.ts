import { looseTimes } from '../../oracle/webhooks/replay.ts';
import { type CaseJudge, said } from '../case-judge.ts';
import type { ReceiverCheck } from '../check.ts';
import { isTaken } from '../session.ts';

const requirement = 'RECV-011';

/** A text that only begins with a number, or uses another notation, is not a timestamp. */
export const timestamp: ReceiverCheck = {
  id: 'receiver.timestamp',
  title: 'a timestamp is a whole number in plain digits',
  rule: requirement,
  after: [
    { check: 'receiver.fresh' },
    { check: 'receiver.anything' },
    { check: 'receiver.stale', aspects: ['no-age'] },
  ],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const seconds = Number(session.draft().timestamp);
    for (const text of looseTimes.map((form) => form(seconds))) {
      const what = `an event signed with the timestamp ${JSON.stringify(text)}`;
      const delivery = await session.deliver(what, session.draft({ timestamp: text }), 0);
      caseJudge.refuses(delivery, { requirement, aspect: 'loose', what });
    }
    await adviseOnAppended(caseJudge);
    await caseJudge.stillAccepts();
  },
};

/**
 * Some libraries sign the parsed number instead of the header's text. An appended text is then harmless but not
 * detected.
 */
async function adviseOnAppended(caseJudge: CaseJudge): Promise<void> {
  const { session } = caseJudge;
  const draft = session.draft();
  const text = `${draft.timestamp}junk`;
  const headers = draft.headers.map(
    ([name, value]) => [name, value === draft.timestamp ? text : value] as const,
  );
  const what = `an event with a text appended to its timestamp after it was signed`;
  const delivery = await session.deliver(what, { ...draft, headers }, 0);
  if (!isTaken(delivery)) return;
  const { exchange } = delivery;
  caseJudge.advise({
    requirement,
    aspect: 'appended',
    expected: `4xx for ${what}`,
    actual: `${said(exchange)}; harmless if only the number before it is verified, as the library standardwebhooks does`,
    exchange,
    twin: caseJudge.session.twin,
  });
}
