import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type Alteration, alterations, altered, wholeAlterations } from '../../generators/altered-event.ts';
import { eventClocks } from '../../generators/event-clocks.ts';
import { judgeErrorShape } from '../../oracle/refusal.ts';
import { clockVerdict, type EventClocks, looseTimes } from '../../oracle/webhooks/replay.ts';
import { eventHeaders, type SignedContent } from '../../oracle/webhooks/sign.ts';
import { must } from '../../rules/violation.ts';
import {
  contentOf,
  isTaken,
  judgeClocks,
  kitOf,
  nowS,
  post,
  seenIn,
  sendAged,
} from '../../steps/webhooks/aged-event.ts';
import { type Exchange, jsonOf } from '../../wire/exchange.ts';

export const ages = defineCheck({
  id: 'hook.replay.ages',
  title:
    'a receiver accepts recent events, and refuses future ones, old ones (webhook_replay) and times that are none',
  requirements: ['HOOK-011', 'ERR-033'],
  kind: 'property',
  needs: ['webhooks.kit'],
  run: (parts) =>
    parts.cases.forAll(
      eventClocks,
      async (clocks) => {
        parts.cases.noteDrawn(clocks);
        const event = await sendAged(parts, clocks);
        judgeClocks(clocks, event);
        // With two faults an error may name either.
        if (clockVerdict(clocks)?.aspect === 'stale-refused' && clocks.shown === null)
          judgeReplayError(event.exchange);
      },
      { quick: 24, full: 300, examples: [...ageExamples, ...looseExamples, ...apartExamples] },
    ),
});

const ageExamples: readonly EventClocks[] = [0, 300, -299, 301, 3_600, 31_536_000, -301, -86_400].map(
  (ageS) => ({ signed: { ageS }, shown: null }),
);
const looseExamples: readonly EventClocks[] = looseTimes.map((_, loose) => ({
  signed: { loose },
  shown: null,
}));
/** An attacker on the network can change a timestamp that is not signed. */
const apartExamples: readonly EventClocks[] = [301, 3_600].map((ageS) => ({
  ...{ signed: { ageS }, shown: { ageS: 0 } },
}));

export const forged = defineCheck({
  id: 'hook.replay.altered',
  title: 'a receiver refuses altered, unsigned or wrongly signed events and counts a repeat once',
  requirements: ['HOOK-011'],
  kind: 'property',
  needs: ['webhooks.kit'],
  run: async (parts) => {
    const { target, cases, rng, clock } = parts;
    const { secret } = kitOf(target);
    const content = (): SignedContent => contentOf(rng, nowS(clock));
    await judgeTwice(parts, content());
    await cases.forAll(
      alterations,
      async (alteration) => {
        cases.noteDrawn(alteration);
        const event = content();
        const exchange = await post(parts, altered(event, eventHeaders([secret], event), alteration));
        must(!isTaken(exchange), {
          requirement: 'HOOK-011',
          aspect: isUnsigned(alteration) ? 'unsigned-refused' : 'altered-refused',
          expected: `an event refused: ${JSON.stringify(alteration)}`,
          ...seenIn(exchange),
        });
      },
      {
        quick: 60,
        full: 2_000,
        examples: wholeAlterations.map((what): Alteration => ({ what })),
      },
    );
  },
});

/** Judges the error for an old event: its code, status and type in the one shape. */
function judgeReplayError(exchange: Exchange): void {
  const { error } = (jsonOf(exchange) ?? {}) as { error?: { code?: unknown; type?: unknown } };
  const isRight =
    exchange.response?.status === 400 &&
    error?.code === 'webhook_replay' &&
    error.type === 'invalid_request_error';
  const expected = 'HTTP 400 with webhook_replay, of type invalid_request_error';
  must(isRight, { requirement: 'ERR-033', aspect: 'replay-error', expected, ...seenIn(exchange) });
  judgeErrorShape(exchange);
}

function isUnsigned({ what }: Alteration): boolean {
  return what !== 'flip';
}

/** Sends one event twice. Both are accepted, and counted once where the receiver reports counts. */
async function judgeTwice(parts: CheckParts, event: SignedContent): Promise<void> {
  const headers = eventHeaders([kitOf(parts.target).secret], event);
  const answers: Exchange[] = [];
  for (const which of ['first', 'second']) {
    parts.cases.count();
    const exchange = await post(parts, { headers, body: Buffer.from(event.body) });
    const isFirst = which === 'first';
    const { duplicate } = (jsonOf(exchange) ?? {}) as { duplicate?: unknown };
    const isExpected = isTaken(exchange) || (!isFirst && [208, 409].includes(exchange.response?.status ?? 0));
    const [twin] = answers;
    must(isExpected, {
      requirement: 'HOOK-011',
      aspect: isFirst ? 'recent-accepted' : 'once',
      expected: `an event accepted the ${which} time`,
      ...seenIn(exchange),
      twin,
    });
    const expected = `an event that is ${isFirst ? 'new' : 'known'}`;
    must(typeof duplicate !== 'boolean' || duplicate === !isFirst, {
      requirement: 'HOOK-011',
      aspect: 'once',
      expected,
      ...seenIn(exchange),
      twin,
    });
    answers.push(exchange);
  }
}
