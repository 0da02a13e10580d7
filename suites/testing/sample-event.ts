import { eventHeaders } from '../oracle/webhooks/sign.ts';
import type { ReceivedEvent } from '../wire/received-event.ts';
import { exchangeOf } from './sample-answers.ts';

/** The secret that signs the samples, and a different one. */
export const sampleSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
/** When the samples arrive, ms since the epoch, in the middle of a second. */
export const sampleArrival = 1_800_000_000_400;

export interface SampleEvent {
  readonly id?: string;
  /** The text of both timestamps. */
  readonly timestamp?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly type?: string;
  /** The bytes, instead of an envelope of type, time and data. */
  readonly body?: string;
  readonly secrets?: readonly string[];
  /** Changes the headers after they are signed. */
  readonly headers?: (headers: [string, string][]) => [string, string][];
  readonly more?: Partial<ReceivedEvent>;
  /** When it began to arrive, by our clock; default: the time of arrival. */
  readonly atMs?: number;
}

/** The task record of a sample. */
export const sampleRecord = {
  task_id: 'task_1',
  status: 'SUCCESS',
  result_urls: ['https://files.example.com/a.mp4'],
  duration_sec: 5,
} as const;

/** An event of a conforming deployment; each test breaks one thing. */
export function sampleEvent(sample: SampleEvent = {}): ReceivedEvent {
  const { id = 'evt_1', data = sampleRecord, type = 'task.success', more = {} } = sample;
  const { timestamp = String(Math.floor(sampleArrival / 1_000)), secrets = [sampleSecret] } = sample;
  const { headers: change = (headers) => headers, atMs = sampleArrival } = sample;
  const envelope = { type, timestamp: new Date(sampleArrival).toISOString(), data };
  const body = Buffer.from(sample.body ?? JSON.stringify(envelope));
  const headers = change(eventHeaders(secrets, { id, timestamp, body }));
  const { request, ...exchange } = exchangeOf('');
  return {
    n: 1,
    via: 'https',
    method: 'POST',
    target: '/in-1',
    headers,
    body,
    isCut: false,
    receivedMs: { min: sampleArrival, max: sampleArrival },
    answered: { kind: 'status', status: 200, at_ms: sampleArrival + 1 },
    exchange: { ...exchange, request: { ...request, headers, body }, sentAt: atMs, endedAt: atMs + 1 },
    ...more,
  };
}
