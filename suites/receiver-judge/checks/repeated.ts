import { must, Untestable } from '../../rules/violation.ts';
import { outcomeOf } from '../../wire/exchange.ts';
import { type CaseJudge, said } from '../case-judge.ts';
import type { ReceiverCheck } from '../check.ts';
import { handlingOf, saysDuplicate } from '../outcome.ts';
import type { Delivery } from '../session.ts';

/**
 * How a receiver can show how often it processed an event, when its answers have no `duplicate`, 208 or 409.
 */
const effectsFlag = '--effects URL';
const deliveriesAtOnce = 5;

/** An event that arrives again, from the gateway or an attacker's recording, is processed once. */
export const duplicate: ReceiverCheck = {
  id: 'receiver.duplicate',
  title: 'an event that arrives again is processed once',
  rule: 'RECV-012',
  after: [{ check: 'receiver.fresh' }, { check: 'receiver.reordered' }],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const first = session.draft({ ageSeconds: 1 });
    const original = await session.deliver('an event', first, 1);
    caseJudge.accepts(original, { requirement: 'RECV-001', aspect: 'accepted', what: 'a genuine event' });
    const attempt = session.draft({ id: first.id, body: first.body });
    const repeats: readonly (readonly [what: string, delivery: Delivery])[] = [
      ['the same request again', await session.deliver('the same request again', first, 0)],
      ['the same event, signed anew', await session.deliver('the same event, signed anew', attempt, 0)],
    ];
    for (const [what, repeat] of repeats) judgeRepeat(caseJudge, what, original, repeat);
    const isVisible = repeats.every(
      ([, { exchange, effects }]) =>
        effects !== null || saysDuplicate(exchange) === true || handlingOf(exchange) === 'refused',
    );
    if (!isVisible) throw new Untestable(effectsFlag);
  },
};

function judgeRepeat(caseJudge: CaseJudge, what: string, original: Delivery, repeat: Delivery): void {
  const { exchange, effects } = repeat;
  caseJudge.note(repeat);
  const finding = {
    requirement: 'RECV-012',
    aspect: 'processed-again',
    expected: `2xx for ${what}, and nothing done`,
    exchange,
    twin: original.exchange,
  };
  must(effects === null || effects === 0, {
    ...finding,
    actual: `${said(exchange)}, and ${effects} more effect(s)`,
  });
  must(effects !== null || saysDuplicate(exchange) !== false, {
    ...finding,
    actual: `${said(exchange)}: it was treated as a new event`,
  });
  if (handlingOf(exchange) !== 'accepted')
    caseJudge.advise({
      ...finding,
      aspect: 'repeat-status',
      actual: `${said(exchange)}; without a 2xx the gateway sends the event again, for 75 hours`,
    });
}

/** Concurrent deliveries of one event are recognised, as consecutive ones are. */
export const atOnce: ReceiverCheck = {
  id: 'receiver.duplicates-at-once',
  title: 'concurrent deliveries of one event are processed once',
  rule: 'RECV-013',
  after: [{ check: 'receiver.fresh' }, { check: 'receiver.duplicate' }],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const deliveries = await session.deliverTogether('an event', session.draft(), deliveriesAtOnce);
    for (const delivery of deliveries) caseJudge.note(delivery);
    const accepted = deliveries.filter(({ exchange }) => handlingOf(exchange) === 'accepted');
    const isNew = accepted.filter(({ exchange }) => saysDuplicate(exchange) === false);
    const [sample] = isNew.length > 1 ? isNew.slice(-1) : deliveries;
    const finding = {
      requirement: 'RECV-013',
      aspect: 'processed-again',
      expected: `2xx for ${deliveriesAtOnce} deliveries of one event at once, and one effect`,
      exchange: sample?.exchange,
    };
    const effects = deliveries[0]?.effects ?? null;
    const answers = [...new Set(deliveries.map(({ exchange }) => outcomeOf(exchange)))].join(', ');
    must(accepted.length > 0, { ...finding, aspect: 'none-accepted', actual: answers });
    must(effects === null || effects === 1, { ...finding, actual: `${answers}, and ${effects} effects` });
    must(effects !== null || isNew.length <= 1, {
      ...finding,
      actual: `${isNew.length} of them were treated as new events`,
    });
    const isVisible =
      accepted.length === 1 || accepted.every(({ exchange }) => saysDuplicate(exchange) !== null);
    if (effects === null && !isVisible) throw new Untestable(effectsFlag);
  },
};
