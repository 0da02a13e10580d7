import { Violation } from '../../rules/violation.ts';
import { type CaseJudge, said } from '../case-judge.ts';
import type { ReceiverCheck } from '../check.ts';
import { saysDuplicate } from '../outcome.ts';
import type { Delivery } from '../session.ts';

/** A receiver that remembers ids before it verifies them would let any sender block genuine events. */
export const forgedFirst: ReceiverCheck = {
  id: 'receiver.forged-first',
  title: 'a forged event does not block the genuine event with its id',
  rule: 'RECV-014',
  after: [{ check: 'receiver.fresh' }, { check: 'receiver.anything' }, { check: 'receiver.forged' }],
  run: async (caseJudge) => {
    const { session, rng } = caseJudge;
    const other = `whsec_${Buffer.from(rng.hex(64), 'hex').toString('base64')}`;
    const genuine = session.draft();
    const forgery = session.draft({ id: genuine.id, body: genuine.body, secrets: [other] });
    const before = 'an event signed with another secret';
    const refused = await session.deliver(before, forgery, 0);
    caseJudge.refuses(refused, { requirement: 'RECV-003', aspect: 'other-secret', what: before });
    const what = 'a genuine event after a forged one with its id';
    const delivery = await session.deliver(what, genuine, 1);
    takesAsNew(caseJudge, delivery, { requirement: 'RECV-014', aspect: 'spoilt', what });
  },
};

/** Two tasks may have equal results. The id distinguishes their events. */
export const sameBody: ReceiverCheck = {
  id: 'receiver.same-body',
  title: 'two events with the same body are both processed',
  rule: 'RECV-015',
  after: [{ check: 'receiver.fresh' }],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const first = session.draft();
    const rule = { requirement: 'RECV-015', aspect: 'same-body' };
    takesAsNew(caseJudge, await session.deliver('an event', first, 1), { ...rule, what: 'a genuine event' });
    const what = 'an event with another id and the same body';
    takesAsNew(caseJudge, await session.deliver(what, session.draft({ body: first.body }), 1), {
      ...rule,
      what,
    });
  },
};

/** Attempts are repeated after a delay, so an older event may arrive after a newer one. */
export const reordered: ReceiverCheck = {
  id: 'receiver.reordered',
  title: 'an older event after a newer one is processed',
  rule: 'RECV-016',
  after: [{ check: 'receiver.fresh' }],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const older = session.draft({ ageSeconds: 60 });
    const newer = session.draft();
    const rule = { requirement: 'RECV-016', aspect: 'reordered' };
    takesAsNew(caseJudge, await session.deliver('the newer event', newer, 1), {
      ...rule,
      what: 'a genuine event',
    });
    const what = 'an event that was signed 60 s before the one that came before it';
    takesAsNew(caseJudge, await session.deliver(what, older, 1), { ...rule, what });
  },
};

function takesAsNew(
  caseJudge: CaseJudge,
  delivery: Delivery,
  rule: { requirement: string; aspect: string; what: string },
): void {
  const { exchange, effects } = delivery;
  if (effects !== null || saysDuplicate(exchange) !== true) {
    caseJudge.accepts(delivery, rule);
    return;
  }
  caseJudge.note(delivery);
  throw new Violation({
    requirement: rule.requirement,
    aspect: rule.aspect,
    expected: `2xx, and one effect, for ${rule.what}`,
    actual: `${said(exchange)}: it was treated as a duplicate`,
    exchange,
    twin: caseJudge.session.twin,
  });
}
