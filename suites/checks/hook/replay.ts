import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { type Check, defineCheck } from '../../engine/check.ts';
import type { Kit } from '../../engine/kit.ts';
import { must } from '../../engine/violation.ts';
import { type Alteration, alterations, altered } from '../../generators/altered-event.ts';
import { judgeErrorShape } from '../../oracle/refusal.ts';
import { eventHeaders, type SignedContent } from '../../oracle/webhooks/sign.ts';
import { type Exchange, excerpt, header, jsonOf, outcomeOf } from '../../wire/exchange.ts';

/** How old an event may be, and how far ahead, seconds. */
const boundS = 300;

/** An event that was sent to the receiver, with how old it was then, and what came back. */
interface Sent {
  readonly exchange: Exchange;
  readonly isTaken: boolean;
}

const ages = defineCheck({
  id: 'hook.replay.ages',
  title:
    'a receiver takes events of the last minutes, and answers one that is older, or stamped well ahead, with a refusal: webhook_replay where it is old',
  requirements: ['HOOK-011', 'ERR-033'],
  kind: 'property',
  needs: ['webhooks.kit'],
  run: (kit) =>
    kit.forAll(
      fc.oneof(
        fc.integer({ min: -250, max: 250 }),
        fc.integer({ min: 320, max: 100_000 }),
        fc.integer({ min: -100_000, max: -320 }),
      ),
      async (ageS) => {
        kit.record.noteDrawn(ageS);
        judgeAge(ageS, await sendAged(kit, ageS));
      },
      { quick: 24, full: 300, examples: [0, 250, -250, 320, 3_600, 86_400, 31_536_000, -320, -86_400] },
    ),
});

const bound = defineCheck({
  id: 'lim.webhook.age',
  title: 'at a receiver an event may be 300 seconds old, and not 301',
  requirements: ['LIM-021'],
  kind: 'timing',
  needs: ['webhooks.kit'],
  run: async (kit) => {
    for (const ageS of [boundS - 1, boundS, boundS + 1, boundS + 2]) {
      kit.countCase();
      const { exchange, isTaken } = await sendAged(kit, ageS);
      must(isTaken === ageS <= boundS, {
        requirement: 'LIM-021',
        aspect: 'bound',
        expected: `an event of ${ageS} s ${ageS <= boundS ? 'taken' : 'refused'}`,
        actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
        exchange,
      });
    }
  },
});

function judgeAge(ageS: number, { exchange, isTaken }: Sent): void {
  const isStale = ageS > boundS;
  const isAhead = ageS < -boundS;
  must(isTaken === !(isStale || isAhead), {
    requirement: 'HOOK-011',
    aspect: isStale ? 'stale-refused' : isAhead ? 'future-refused' : 'recent-accepted',
    expected: `an event of ${ageS} s ${isStale || isAhead ? 'refused' : 'taken'}`,
    actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
    exchange,
  });
  if (isStale) judgeReplayError(exchange);
}

/** The error of an old event: its code, with the status and the type that belong to that, in the one shape. */
function judgeReplayError(exchange: Exchange): void {
  const { error } = (jsonOf(exchange) ?? {}) as { error?: { code?: unknown; type?: unknown } };
  must(
    exchange.response?.status === 400 &&
      error?.code === 'webhook_replay' &&
      error.type === 'invalid_request_error',
    {
      requirement: 'ERR-033',
      aspect: 'replay-error',
      expected: 'HTTP 400 with webhook_replay, of type invalid_request_error',
      actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
      exchange,
    },
  );
  judgeErrorShape(exchange);
}

const forged = defineCheck({
  id: 'hook.replay.altered',
  title:
    'a receiver refuses an event of which a bit was changed, that is not signed, or by another secret; one that it has already is taken, and counted once',
  requirements: ['HOOK-011'],
  kind: 'property',
  needs: ['webhooks.kit'],
  run: async (kit) => {
    const { secret } = kitOf(kit);
    const content = (): SignedContent => contentOf(kit, nowS(kit));
    await judgeTwice(kit, content());
    await kit.forAll(
      alterations,
      async (alteration) => {
        kit.record.noteDrawn(alteration);
        const event = content();
        const exchange = await post(kit, altered(event, eventHeaders([secret], event), alteration));
        must(!isTaken(exchange), {
          requirement: 'HOOK-011',
          aspect: isUnsigned(alteration) ? 'unsigned-refused' : 'altered-refused',
          expected: `an event refused: ${JSON.stringify(alteration)}`,
          actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
          exchange,
        });
      },
      {
        quick: 60,
        full: 2_000,
        examples: ['no-signature', 'no-id', 'no-timestamp', 'other-secret', 'empty-signature'].map(
          (what): Alteration => ({ what: what as 'no-signature' }),
        ),
      },
    );
  },
});

function isUnsigned({ what }: Alteration): boolean {
  return what !== 'flip';
}

/** The same event twice: both times taken, so that nobody sends it again, and counted once where the receiver tells. */
async function judgeTwice(kit: Kit, event: SignedContent): Promise<void> {
  const headers = eventHeaders([kitOf(kit).secret], event);
  const answers: Exchange[] = [];
  for (const which of ['first', 'second']) {
    kit.countCase();
    const exchange = await post(kit, { headers, body: Buffer.from(event.body) });
    const isFirst = which === 'first';
    const { duplicate } = (jsonOf(exchange) ?? {}) as { duplicate?: unknown };
    must(isTaken(exchange) || (!isFirst && [208, 409].includes(exchange.response?.status ?? 0)), {
      requirement: 'HOOK-011',
      aspect: isFirst ? 'recent-accepted' : 'once',
      expected: `an event taken, for the ${which} time`,
      actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 160)}`,
      exchange,
      twin: answers[0],
    });
    must(typeof duplicate !== 'boolean' || duplicate === !isFirst, {
      requirement: 'HOOK-011',
      aspect: 'once',
      expected: `an event that is ${isFirst ? 'new' : 'known'}`,
      actual: excerpt(exchange, 160),
      exchange,
      twin: answers[0],
    });
    answers.push(exchange);
  }
}

export const replayChecks: readonly Check[] = [ages, forged];
/** In the area of limits. */
export const ageLimitChecks: readonly Check[] = [bound];

function kitOf({ profile }: Kit): { readonly url: string; readonly secret: string } {
  const { kit } = profile.webhooks;
  if (kit === undefined) throw new Error('the check uses webhooks.kit without declaring that it needs it');
  return kit;
}

/** Within a second: from here to there nothing is near the next one, ms. */
const [earliestMs, latestMs] = [100, 600] as const;
const mostTries = 8;

/** Sends an event of an age that is exact: a case during which the second passed is repeated. */
async function sendAged(kit: Kit, ageS: number): Promise<Sent> {
  // The receiver's clock may be another one: by what it says of itself.
  let aheadS = 0;
  for (let left = mostTries; ; left -= 1) {
    const within = kit.now() % 1_000;
    if (within < earliestMs || within > latestMs)
      await wait((1_000 + earliestMs - within) % 1_000, undefined, { signal: kit.signal });
    const sentS = nowS(kit) + aheadS;
    const event = contentOf(kit, sentS - ageS);
    const headers = eventHeaders([kitOf(kit).secret], event);
    const exchange = await post(kit, { headers, body: Buffer.from(event.body) });
    const saidS = saidSecond(exchange);
    const offS = (saidS ?? nowS(kit)) - sentS;
    if (offS === 0 || left <= 1) return { exchange, isTaken: isTaken(exchange) };
    if (saidS !== null) aheadS += offS;
  }
}

/** The second in which a receiver answered by its own clock; null where it does not tell. */
function saidSecond(exchange: Exchange): number | null {
  const saidMs = Date.parse(header(exchange, 'date') ?? '');
  return Number.isNaN(saidMs) ? null : Math.floor(saidMs / 1_000);
}

function nowS(kit: Kit): number {
  return Math.floor(kit.now() / 1_000);
}

function contentOf(kit: Kit, timestampS: number): SignedContent {
  // No receiver may know it from an earlier run.
  const id = `evt_${randomBytes(12).toString('hex')}`;
  const data = { task_id: `task_${kit.rng.hex(16)}`, status: 'SUCCESS', result_urls: [], duration_sec: null };
  const timestamp = new Date(Math.max(0, timestampS) * 1_000).toISOString();
  const body = Buffer.from(JSON.stringify({ type: 'task.success', timestamp, data }));
  return { id, timestamp: String(timestampS), body };
}

async function post(
  kit: Kit,
  { headers, body }: { readonly headers: readonly (readonly [string, string])[]; readonly body: Buffer },
): Promise<Exchange> {
  return kit.sendEvent(kitOf(kit).url, { headers: Object.fromEntries(headers), body, label: 'an event' });
}

function isTaken({ response }: Exchange): boolean {
  return response !== null && response.status >= 200 && response.status < 300;
}
