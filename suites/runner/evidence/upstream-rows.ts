import type { TimelineRow } from 'gatecheck-reports/failure-timeline';
import type { JournalEntry } from 'gatecheck-simulators/client';
import { mostPieces } from '../../engine/parts/exchange-trace.ts';
import type { Outcome } from '../../oracle/breaker.ts';
import { isCountingCall } from '../../oracle/native/dialects.ts';
import { sampled } from '../../wire/sampled.ts';
import type { ChannelRequest } from './breaker-spans.ts';
import { nameOf, type Surroundings } from './surroundings.ts';

/** The requests that reached the simulated upstreams of a check's tenants. */
export function upstreamRows(around: Surroundings, ties: ReadonlySet<string>): TimelineRow[] {
  const { upstream, marked } = around;
  if (typeof upstream === 'string') return [];
  const own = new Map([...marked].filter(([mark]) => ties.has(mark)).flatMap(([, entries]) => [...entries]));
  return upstream.map((entry) => rowOf(entry, around, own.get(nameOf(entry))));
}

/** @param own the same with the beginning of its bodies, where it belongs to the failure */
function rowOf(entry: JournalEntry, around: Surroundings, own: JournalEntry | undefined): TimelineRow {
  const { request, reply, channel, received_at_ms: arrivedMs } = entry;
  const time = around.simulatorTimeOf;
  const [first] = reply.sends;
  const note = noteOf(entry);
  return {
    label: channel,
    ...{ method: request.method, status: reply.status },
    path: request.path.replace(`/${entry.tenant}/${channel}/`, '/'),
    from_ms: time(arrivedMs),
    first_byte_ms: first === undefined ? null : time(first.actual_ms),
    to_ms: reply.ended_at_ms === null ? null : time(reply.ended_at_ms),
    ...(note !== '' && { note }),
    ...(own !== undefined && {
      role: 'same',
      request: textOf(own.request.body_base64),
      answer: textOf(own.reply.body_base64),
      ...(reply.sends.length > 2 && {
        pieces_ms: sampled(reply.sends, mostPieces).map((send) => time(send.actual_ms)),
      }),
    }),
  };
}

function noteOf({ request, reply }: JournalEntry): string {
  const { fault, draws, ended, waiting_at: waiting, script } = reply;
  const words = [
    fault && `fault ${fault.id}${fault.form === null ? '' : ` ${fault.form}`}`,
    fault === undefined && script !== null && 'as scripted',
    draws?.disturbed_by,
    isCountingCall(request.path) && 'counts tokens only',
    !request.complete && 'the request broke off',
    waiting && `waits (${waiting})`,
    ended === 'cut' && 'connection cut by the upstream',
    ended === 'client-gone' && 'left by the gateway',
    ended === 'open' && 'still open',
  ];
  return words.filter((word) => typeof word === 'string').join(', ');
}

/** What a request reveals about its channel; nothing if it is not a model call, or has no outcome yet. */
export function asChannelRequest(entry: JournalEntry, { simulatorTimeOf }: Surroundings): ChannelRequest[] {
  const { request, reply, channel, received_at_ms: arrivedMs } = entry;
  if (request.method !== 'POST' || isCountingCall(request.path) || reply.ended_at_ms === null) return [];
  const [fromMs, toMs] = [simulatorTimeOf(arrivedMs), simulatorTimeOf(reply.ended_at_ms)];
  return [{ channel, fromMs, toMs, outcome: outcomeOf(entry) }];
}

function outcomeOf({ reply: { status, ended } }: JournalEntry): Outcome {
  if (ended === 'client-gone') return 'unsure';
  if (status === null || status >= 500 || status === 429 || ended === 'cut') return 'failure';
  return status < 400 ? 'success' : 'ignored';
}

function textOf(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
