import type { Reply } from '../../../simulators/control/client.ts';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { must } from '../../rules/violation.ts';
import { dialectModels } from '../../steps/chat/upstream-view.ts';
import { isServed, openBreakers } from '../../steps/failures/outage-state.ts';
import { routedCall, type Strain, strainsOf } from '../../steps/failures/routed-call.ts';
import { type Exchange, header } from '../../wire/exchange.ts';

/** What a deployment may tell a caller to wait, seconds: for room without being asked, and for the end of an outage (B-110). */
const fullS = 10;
const outageS = 60;

/** What an upstream asks for. */
const askedS = 4;

export const hintsAreKept = defineCheck({
  id: 'route.hint.retry-after',
  title:
    'Retry-After, where it is sent, is in whole seconds, within what the advice says, and whoever comes back then after an outage is let through',
  requirements: ['ROUTE-017'],
  kind: 'timing',
  needs: ['upstream.control', 'time'],
  clock: 'jump',
  run: async (kit) => {
    const [ill, crowded] = strainsOf(kit, dialectModels(kit).slice(0, 2));
    if (ill === undefined) return;
    await judgeOutageHint(kit, ill);
    if (crowded !== undefined) await judgeFullHint(kit, crowded);
  },
});

async function judgeOutageHint(kit: CheckParts, strain: Strain): Promise<void> {
  await openBreakers(kit, strain);
  const [coolDownMs = outageS * 1_000] = kit.target.profile.upstream?.breaker?.cool_down_ms ?? [];
  const first = await routedCall(strain, {}, { label: 'an outage' });
  const maxS = Math.max(1, Math.min(outageS, Math.ceil(coolDownMs / 1_000)));
  const waitS = judgeHint(kit, first.exchange, maxS, 'outage-hint');
  if (waitS === null) return;
  // In the middle there is less left to wait.
  const half = Math.floor(coolDownMs / 2);
  await kit.clock.elapse(half);
  const middle = await routedCall(strain, {}, { label: 'an outage, half over' });
  const leftS = judgeHint(kit, middle.exchange, Math.ceil((coolDownMs - half) / 1_000), 'outage-remaining');
  await comeBack(kit, strain, leftS ?? waitS);
}

async function judgeFullHint(kit: CheckParts, strain: Strain): Promise<void> {
  const busy: Reply = {
    status: 429,
    headers: { 'retry-after': String(askedS) },
    body: { error: { message: 'Too many requests.', code: 'rate_limit_exceeded' } },
  };
  const full = await routedCall(strain, { '*': [busy] }, { label: 'all channels busy' });
  judgeHint(kit, full.exchange, Math.max(fullS, askedS), 'full-hint');
}

/** The hint of a refusal: absent, or a whole number of seconds from 1 to `maxS`. */
function judgeHint(kit: CheckParts, exchange: Exchange, maxS: number, aspect: string): number | null {
  kit.cases.count();
  const text = header(exchange, 'retry-after');
  if (text === null || exchange.response?.status === 200) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  must(seconds >= 1 && seconds <= maxS, {
    requirement: 'ROUTE-017',
    aspect,
    expected: `Retry-After of 1 to ${maxS} whole seconds, or none`,
    actual: text,
    exchange,
  });
  return seconds;
}

/** Whoever does as told is not sent away again. */
async function comeBack(kit: CheckParts, strain: Strain, afterS: number): Promise<void> {
  await kit.clock.elapse(afterS * 1_000);
  const call = await routedCall(strain, {}, { label: `${afterS} s later, as told` });
  must(isServed(call), {
    requirement: 'ROUTE-017',
    aspect: 'hint-holds',
    expected: `an answer after the ${afterS} s that Retry-After said`,
    actual: `HTTP ${call.exchange.response?.status}`,
    exchange: call.exchange,
  });
}
