import { type Check, defineCheck } from '../../engine/check.ts';
import type { Fact } from '../../engine/facts.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { type FaultFacts, faultCheckId } from '../../oracle/faults/fault-facts.ts';
import { rowsOfFault } from '../../oracle/faults/fault-rows.ts';
import { judgeOnOneChannel } from './alone.ts';
import { judgeBrokenListeners } from './broken-listeners.ts';
import { takesTime } from './cells.ts';
import { judgeElsewhere } from './elsewhere.ts';
import { judgeIgnored } from './ignored.ts';
import { judgeClientGone, judgeLetGo, judgeNotFollowed } from './special/client-gone.ts';
import { judgeFlood } from './special/flood.ts';
import { judgeKeepaliveRace } from './special/keepalive-race.ts';
import { titleOf } from './title.ts';

type Judge = (parts: CheckParts, facts: FaultFacts) => Promise<void>;

/** Faults that need more than one call and its answer. */
const special: Readonly<Record<string, Judge>> = {
  T9: judgeKeepaliveRace,
  T10: (parts, facts) => judgeOnOneChannel(parts, facts, judgeLetGo),
  T11: (parts, facts) => judgeOnOneChannel(parts, facts, judgeLetGo),
  T19: (parts, facts) => judgeOnOneChannel(parts, facts, judgeNotFollowed),
  T20: judgeFlood,
  S29: judgeClientGone,
};

/** The check of a fault caused by a script or a broken listener. */
export function checkByVerdict(facts: FaultFacts): Check {
  const timed = takesTime(facts) || facts.listener !== undefined;
  const needs: Fact[] = ['upstream.control'];
  if (timed) needs.push('time');
  if (facts.listener !== undefined) needs.push('upstream.broken_listeners');
  return defineCheck({
    id: faultCheckId(facts),
    title: titleOf(facts),
    requirements: rowsOfFault(facts),
    kind: 'upstream',
    needs,
    dialects: facts.dialects,
    ...(timed ? { clock: 'jump' as const } : {}),
    // Another proxy's buffers would hide how far the gateway reads ahead.
    ...(facts.id === 'T20' ? { raw: true as const } : {}),
    run: (parts) =>
      facts.listener === undefined
        ? (special[facts.id] ?? judgeAll)(parts, facts)
        : judgeBrokenListeners(parts, facts),
  });
}

/** Judges one channel, then a second channel next to it, and the breaker. */
async function judgeAll(parts: CheckParts, facts: FaultFacts): Promise<void> {
  await judgeOnOneChannel(parts, facts);
  await judgeElsewhere(parts, facts);
  await judgeIgnored(parts, facts);
}
