import { Violation } from '../../rules/violation.ts';
import { type CaseJudge, said } from '../case-judge.ts';
import type { ReceiverCheck } from '../check.ts';
import { answerWithinMs } from '../client.ts';
import { handlingOf } from '../outcome.ts';
import { type Delivery, isSilence } from '../session.ts';

const rule = 'RECV-001';
/** A receiver whose clock is wrong by more than this will refuse genuine events in time, s. */
const maxAheadSeconds = 30;

/** A genuine event is accepted. If it is not, the check searches for the usual reasons. */
export const fresh: ReceiverCheck = {
  id: 'receiver.fresh',
  title: 'a genuine event is accepted',
  rule,
  after: [],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const what = 'a genuine event';
    let delivery = await session.deliver(what, session.draft(), 1);
    const ahead = session.aheadSeconds;
    if (handlingOf(delivery.exchange) === 'refused' && Math.abs(ahead) > maxAheadSeconds)
      delivery = await session.deliver('a genuine event, by its own clock', session.draft(), 1);
    if (handlingOf(delivery.exchange) !== 'accepted') throw await explained(caseJudge, delivery);
    caseJudge.accepts(delivery, { requirement: rule, aspect: 'accepted', what });
    caseJudge.notes.push(`answered within ${Math.round(delivery.exchange.response?.endMs ?? 0)} ms`);
    if (Math.abs(ahead) > maxAheadSeconds)
      caseJudge.advise({
        requirement: rule,
        aspect: 'clock',
        expected: 'a clock that shows the time',
        actual: `by its Date header its clock is ${inWords(ahead)} ours; the judge computes ages by it, but a gateway uses its own clock`,
        exchange: delivery.exchange,
      });
  },
};

async function explained(caseJudge: CaseJudge, delivery: Delivery): Promise<Violation> {
  const { exchange } = delivery;
  const isRefused = handlingOf(exchange) === 'refused';
  const hint = (isRefused ? await misreading(caseJudge) : null) ?? usualReason(delivery);
  return new Violation({
    requirement: rule,
    aspect: isSilence(exchange) ? 'in-time' : 'accepted',
    expected: `2xx within ${answerWithinMs / 1000} s for a genuine event`,
    actual: `${said(exchange)}${hint}`,
    exchange,
  });
}

/** Finds out from the accepted events which key the receiver uses. */
async function misreading({ session }: CaseJudge): Promise<string | null> {
  const encoded = session.secret.replace(/^whsec_/, '');
  const readings: readonly (readonly [key: string, words: string])[] = [
    [`whsec_${encoded}`, 'the text of the whole secret'],
    [encoded, 'the text after whsec_'],
  ];
  for (const [key, words] of readings) {
    const secrets = [Buffer.from(key).toString('base64')];
    const { exchange } = await session.deliver(`signed with ${words}`, session.draft({ secrets }), 0);
    if (handlingOf(exchange) === 'accepted')
      return `; it accepts events signed with ${words}, but the key is what this text decodes to as base64`;
  }
  return null;
}

function usualReason({ exchange }: Delivery): string {
  const status = exchange.response?.status;
  switch (handlingOf(exchange)) {
    case 'redirected':
      return '; the gateway follows no redirect: use the URL that this one redirects to';
    case 'refused':
      return status === 404 || status === 405
        ? '; is this the URL for events? They are sent by POST'
        : '; does the receiver have the same secret?';
    default:
      return '';
  }
}

function inWords(ahead: number): string {
  return ahead > 0 ? `${ahead} s ahead of` : `${-ahead} s behind`;
}
