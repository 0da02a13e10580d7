import { errorTable } from '../../suites/oracle/error-table.ts';
import { objectIn } from '../../suites/rewrite/json.ts';
import type { Mutation } from '../../suites/rewrite/mutation.ts';
import type { Variant } from '../edits/mutant.ts';
import { chunkIn, everyObject, isObject, type JsonObject, toEvent } from './rewrite.ts';

/** Gateways that report upstream failures differently, or use names that readings leave to them. */
export const failureVariants: readonly Variant[] = [
  {
    id: 'failure.cuts-the-stream',
    title: 'a stream that fails is broken off without an error event (B-35)',
    mutation: {
      events: () => (event) => {
        if (isErrorEvent(event)) throw new Error('this gateway breaks off');
        return event === null ? [] : [event];
      },
    },
  },
  {
    id: 'failure.without-done',
    title: 'a stream that fails ends after its error event, without [DONE] (B-35)',
    mutation: { events: () => afterError((event) => (event === 'data: [DONE]' ? [] : [event])) },
  },
  {
    id: 'failure.finish-error',
    title: 'the error event is also a chunk, with finish_reason error (B-35)',
    mutation: { events: () => finishedByError() },
  },
  {
    id: 'failure.normalised-alone',
    title: 'errors of the compat paths have the normalised members alone, in streams too (B-90)',
    mutation: {
      answer: (answer) => {
        const value = answer.status < 300 ? null : objectIn(answer.body);
        return value === null ? answer : { ...answer, body: Buffer.from(JSON.stringify(bare(value))) };
      },
      events: () => (event) => (event === null ? [] : [withBareError(event)]),
    },
  },
  {
    id: 'error.outage-for-full',
    title: 'upstreams that are at capacity count as out of order: 503 channel_outage (B-105)',
    mutation: outageForFull(),
  },
];

/** Removes the members of an error that only clients of the native protocols expect. */
function bare({ type: _, error, ...rest }: JsonObject): JsonObject {
  if (!isObject(error)) return { ...rest, error };
  const { status: _status, ...members } = error;
  return { ...rest, error: members };
}

/** A stream event; an error event of compat path A loses its type, but not its name. */
export function withBareError(event: string): string {
  return event.replace(/^data: (\{"type":"error".*\})$/m, (_, json: string) => {
    const value = objectIn(Buffer.from(json));
    return `data: ${value === null ? json : JSON.stringify(bare(value))}`;
  });
}

function isErrorEvent(event: string | null): boolean {
  return event !== null && isObject(chunkIn(event)?.error);
}

type EventChange = (event: string | null) => readonly string[];

/** Changes what follows the error event of a stream. */
function afterError(change: (event: string) => readonly string[]): EventChange {
  let failed = false;
  return (event) => {
    if (event === null) return [];
    const out = failed ? change(event) : [event];
    failed ||= isErrorEvent(event);
    return out;
  };
}

function finishedByError(): EventChange {
  let last: JsonObject = {};
  return (event) => {
    if (event === null) return [];
    const chunk = chunkIn(event);
    if (!isErrorEvent(event)) {
      last = chunk ?? last;
      return [event];
    }
    return [toEvent({ ...last, ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'error' }] })];
  };
}

function outageForFull(): Mutation {
  const code = 'channel_outage';
  const { events, answer } = everyObject((value) => {
    const full = isObject(value.error) && value.error.code === 'channel_queue_full';
    return full
      ? { ...value, error: { ...(value.error as JsonObject), code, type: errorTable[code].type } }
      : value;
  });
  return {
    ...(events === undefined ? {} : { events }),
    answer: (whole, request) => {
      const changed = answer?.(whole, request) ?? whole;
      const differs =
        changed.body.includes(`"${code}"`) && whole.status === errorTable.channel_queue_full.status;
      return differs ? { ...changed, status: errorTable[code].status } : changed;
    },
  };
}
