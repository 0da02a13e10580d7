import { must } from '../../rules/violation.ts';
import { type CaseJudge, said } from '../case-judge.ts';
import type { ReceiverCheck } from '../check.ts';
import { handlingOf } from '../outcome.ts';

const bound = 300;
const [hour, day] = [3_600, 86_400];
const checked = [{ check: 'receiver.fresh' }, { check: 'receiver.anything' }];
/** A receiver that accepts events of any age is reported once. */
const aged = [...checked, { check: 'receiver.stale', aspects: ['no-age'] }];

/** An event older than the limit is a replay. */
export const stale: ReceiverCheck = {
  id: 'receiver.stale',
  title: 'an event older than 300 s is refused',
  rule: 'RECV-007',
  after: checked,
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const rule = { requirement: 'RECV-007' };
    for (const [age, words] of [
      [day, 'a day'],
      [hour, 'an hour'],
    ] as const) {
      const what = `an event that was signed ${words} ago`;
      const delivery = await session.deliver(what, session.draft({ ageSeconds: age }), 0);
      caseJudge.refuses(delivery, { ...rule, aspect: age === day ? 'no-age' : 'bound', what });
    }
    const age = bound + 1 + session.marginSeconds;
    const what = `an event that was signed ${age} s ago`;
    caseJudge.refuses(await session.deliverAt(what, age, 0), { ...rule, aspect: 'bound', what });
    await caseJudge.stillAccepts();
  },
};

/** An event from more than 300 s in the future is refused too, because it could be replayed until then. */
export const future: ReceiverCheck = {
  id: 'receiver.future',
  title: 'an event more than 300 s ahead of the time is refused',
  rule: 'RECV-008',
  after: aged,
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const rule = { requirement: 'RECV-008' };
    const far = 'an event with a timestamp of tomorrow';
    const tomorrow = await session.deliver(far, session.draft({ ageSeconds: -day }), 0);
    caseJudge.refuses(tomorrow, { ...rule, aspect: 'no-bound', what: far });
    const ahead = bound + 1 + session.marginSeconds;
    const what = `an event with a timestamp ${ahead} s ahead`;
    caseJudge.refuses(await session.deliverAt(what, -ahead, 0), { ...rule, aspect: 'bound', what });
    await caseJudge.stillAccepts();
  },
};

/** An event is recent up to the limit. */
export const recent: ReceiverCheck = {
  id: 'receiver.recent',
  title: 'an event that is 299 s old is accepted',
  rule: 'RECV-009',
  after: [{ check: 'receiver.fresh' }, { check: 'receiver.reordered' }],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const age = bound - 1 - session.marginSeconds;
    const what = `an event that was signed ${age} s ago`;
    const delivery = await session.deliverAt(what, age, 1);
    if (handlingOf(delivery.exchange) !== 'accepted') {
      caseJudge.note(delivery);
      must(false, {
        requirement: 'RECV-009',
        aspect: 'bound',
        expected: `2xx for ${what}`,
        actual: `${said(delivery.exchange)}; ${await widest(caseJudge, age)}`,
        exchange: delivery.exchange,
        twin: caseJudge.session.twin,
      });
    }
    caseJudge.accepts(delivery, { requirement: 'RECV-009', aspect: 'bound', what });
    if (session.marginSeconds > 0)
      return void caseJudge.notes.push(
        'it sends no Date header, or is slow: ages closer to 300 s cannot be distinguished',
      );
    // A receiver that compares milliseconds refuses just beyond the limit, and the specification has no rule
    // for the future. Both are only notes.
    for (const at of [bound, 1 - bound, -bound]) {
      const { exchange } = await session.deliverAt(`an event ${at} s old`, at, 1);
      caseJudge.notes.push(`${at < 0 ? `${-at} s ahead` : `${at} s old`}: ${said(exchange)}`);
    }
  },
};

/** Finds the age up to which the receiver accepts events, if its limit differs. */
async function widest({ session }: CaseJudge, than: number): Promise<string> {
  for (const age of [240, 120, 60, 30, 10].filter((one) => one < than)) {
    const { exchange } = await session.deliver(`${age} s old`, session.draft({ ageSeconds: age }), 1);
    if (handlingOf(exchange) === 'accepted') return `it accepts one that is ${age} s old`;
  }
  return 'it accepts none that is older than 10 s';
}

/** The signed timestamp determines the age, because anybody on the way can change the other header. */
export const signedAge: ReceiverCheck = {
  id: 'receiver.signed-age',
  title: 'the signed timestamp determines the age of an event',
  rule: 'RECV-010',
  after: [...checked, { check: 'receiver.stale' }],
  run: async (caseJudge) => {
    const { session } = caseJudge;
    const draft = session.draft({ ageSeconds: hour });
    const now = session.draft().timestamp;
    const headers = draft.headers.map(
      ([name, value]) => [name, name === 'x-service-timestamp' ? now : value] as const,
    );
    const what = 'an event signed an hour ago whose x-service-timestamp was set to now';
    const delivery = await session.deliver(what, { ...draft, headers }, 0);
    caseJudge.refuses(delivery, { requirement: 'RECV-010', aspect: 'unsigned-age', what });
    await caseJudge.stillAccepts();
  },
};
