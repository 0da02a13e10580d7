import type { JournalEntry } from 'gatecheck-simulators/client';
import { isCountingCall } from '../oracle/native/dialects.ts';
import { parseJson } from '../values/json.ts';

/** A request as it reached the upstream. */
export interface UpstreamRequest {
  readonly entry: JournalEntry;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export function readRequest(entry: JournalEntry): UpstreamRequest {
  const text = Buffer.from(entry.request.body_base64, 'base64').toString('utf8');
  const json = parseJson(text);
  return {
    entry,
    headers: new Map(entry.request.headers.map(([name, value]) => [name.toLowerCase(), value])),
    text,
    json: json !== null && typeof json === 'object' ? (json as Record<string, unknown>) : {},
  };
}

/** Whether an entry is a call that only counts tokens. */
export function isCounting(entry: JournalEntry): boolean {
  return isCountingCall(entry.request.path);
}

/** Whether an entry is not a request for a model's answer: token counting, polling a job, or reading a file. */
export function isBeside(entry: JournalEntry): boolean {
  return isCounting(entry) || entry.request.method === 'GET';
}
