import { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { type Callback, headersOf, sendingOf, signerWith } from '../../answers/callback.ts';
import type { Clock } from '../../clock.ts';
import type { JobReport } from '../../control/job-shapes.ts';
import { keyFingerprint } from '../../requests/key-fingerprint.ts';
import type { Job } from '../../state/jobs/job.ts';

/** The timeout of an attempt, the number of attempts and the pause between them. Times are ms of the simulators' clock. */
const timeoutMs = 15_000;
const maxTries = 3;
const pauseMs = 5000;

/** The maximum number of characters kept of an answer. */
const maxAnswerLength = 2048;

let agent: Agent | undefined;

/** Loads the HTTP client with the first callback: most processes send none. */
async function client(): Promise<{ dispatcher: Agent; request: typeof import('undici').request }> {
  const { Agent, request } = await import('undici');
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return { dispatcher: agent, request };
}

/** The dependencies of a callback's delivery. */
export interface Delivery {
  readonly job: Job;
  readonly url: string;
  /** The key that submitted the job. It signs the callbacks, and is stored nowhere else. */
  readonly key: string;
  readonly clock: Clock;
  /** Whether the job still exists. A dropped job sends no more callbacks. */
  readonly isKnown: () => boolean;
}

/** Waits as the callback requires, then sends it until the receiver answers with a 2xx status. */
export async function deliver(callback: Callback, delivery: Delivery): Promise<void> {
  const { job, clock, isKnown } = delivery;
  job.reportsOpen += 1;
  try {
    if (callback.until !== undefined) await callback.until;
    if (callback.afterMs !== undefined) await clock.sleep(callback.afterMs);
    if (!isKnown()) return;
    const report = beginReport(job, callback);
    while (report.tries < (callback.maxTries ?? maxTries) && isKnown()) {
      if (report.tries > 0) await clock.sleep(pauseMs);
      await tryOnce(callback, report, delivery);
      if (report.tries === 1) callback.onTried?.();
      if (report.status !== null && report.status >= 200 && report.status < 300) return;
    }
  } finally {
    job.reportsOpen -= 1;
  }
}

function beginReport(job: Job, { id, kind, faultForm }: Callback): JobReport {
  const n = job.reports.length + 1;
  const unsent = { tries: 0, status: null, answer: '', at_ms: 0 };
  const report: JobReport = { n, id, kind, ...unsent, faulted: faultForm ?? null };
  job.reports.push(report);
  return report;
}

async function tryOnce(callback: Callback, report: JobReport, delivery: Delivery): Promise<void> {
  const { url, key, clock } = delivery;
  const { dispatcher, request } = await client();
  const expiry = new AbortController();
  const timer = clock.schedule(timeoutMs, () => expiry.abort());
  report.tries += 1;
  report.at_ms = clock.now();
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: headersOf(callback, report.at_ms, signerWith(key)),
      body: Readable.from(sendingOf(callback), { objectMode: false }),
      signal: expiry.signal,
    });
    // A receiver may echo the key. Reads beyond the limit, so that the kept text contains no part of it.
    const beginning = await beginningOf(body, maxAnswerLength + key.length);
    report.answer = beginning.replaceAll(key, keyFingerprint(key)).slice(0, maxAnswerLength);
    report.status = statusCode;
  } catch {
    report.answer = '';
    report.status = null;
  } finally {
    timer.cancel();
  }
}

/** The beginning of an answer, up to the limit; the rest is not read. */
async function beginningOf(body: Readable, maxBytes: number): Promise<string> {
  // Stopping early makes the stream emit an error, which can be ignored.
  body.on('error', () => {});
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    pieces.push(piece);
    length += piece.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(pieces).toString();
}
