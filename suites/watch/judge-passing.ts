import { protocolOf } from '../oracle/exchange/call.ts';
import { clockAheadBy, type Judged, judgedBy, judgeExchange } from '../oracle/exchange/judge-exchange.ts';
import type { TaskTraces } from '../oracle/media/task-traces.ts';
import type { Profile } from '../profile/profile.ts';
import type { Exchange } from '../wire/exchange.ts';
import { createRedactor, type Redact } from '../wire/redactor.ts';
import type { Passing } from './connection-tap.ts';
import { chargeCases, hookRead } from './judge-charges.ts';
import { eventCases, readAfterEvents } from './judge-events.ts';
import type { ModelNames } from './model-names.ts';
import type { PassedCalls } from './passed-calls.ts';
import { isEvent, type PassedEvents } from './passed-events.ts';
import type { PassiveName } from './passive-rules.ts';
import type { Submissions } from './submissions.ts';

/** Answers with a clock difference above this are not judged by time, ms. */
const clockApartMs = 60_000;

/** The memory from one exchange to the next. */
export interface Memory {
  readonly traces: TaskTraces;
  readonly names: ModelNames;
  readonly calls: PassedCalls;
  readonly submissions: Submissions;
  readonly events: PassedEvents;
  /** Whether answers of the deployment so far were dated by a clock like ours. */
  isOurTime: boolean;
  /** The deployment's profile; null without one. */
  readonly profile: Profile | null;
}

/**
 * Judges an exchange by itself, and reads of tasks also by earlier reads. Empty when the exchange is not of the interface.
 */
export function judgePassing({ exchange, began, ended }: Passing, memory: Memory): Judged<PassiveName>[] {
  const { profile, traces } = memory;
  const judged = (row: PassiveName, judge: () => unknown): Judged<PassiveName> => judgedBy(row, true, judge);
  const hook = hookRead(exchange, profile);
  if (hook !== null && profile !== null)
    return chargeCases(exchange, hook, { ...memory, profile }).map(({ check, judge }) =>
      judged(check, judge),
    );
  if (profile !== null) memory.calls.note(exchange, profile);
  if (!isOfInterface(exchange) && isEvent(exchange, memory))
    return eventCases(exchange, memory).map(({ check, judge }) => judged(check, judge));
  const aheadMs = clockAheadBy(exchange, clockApartMs);
  if (aheadMs !== undefined && isOfInterface(exchange)) memory.isOurTime = aheadMs === 0;
  const conceal = profile === null ? concealNothing : createRedactor(profile);
  const known = { clockAheadMs: aheadMs ?? null, channels: [], standIns: [], conceal, anyPath: false };
  const shown = judgeExchange(exchange, known);
  if (shown.call?.protocol === 'submit' && shown.judged.length > 0)
    memory.submissions.note(exchange, profile);
  if (shown.models !== null) memory.names.listed(shown.models);
  const { record } = shown;
  if (record === null) return [...shown.judged];
  const { taskId } = record;
  const further: Judged<PassiveName>[] = [];
  if (traces.isAgain(taskId))
    further.push(judged('traces', () => traces.add(taskId, { record, began, ended })));
  else traces.add(taskId, { record, began, ended });
  for (const { check, judge } of readAfterEvents(record, memory)) further.push(judged(check, judge));
  return [...shown.judged, ...further];
}

const concealNothing: Redact = (text) => text;

/** Whether an exchange calls a protocol of the interface. */
export function isOfInterface(exchange: Exchange): boolean {
  return protocolOf(exchange) !== null;
}
