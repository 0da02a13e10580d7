import { gzipSync } from 'node:zlib';
import type { Callback } from '../../answers/callback.ts';
import type { Fault, JobFault, ReportObservation } from '../../fault-contract/fault.ts';
import type { Report } from '../../providers/callback-jobs/reply.ts';
import { ofForm } from '../native/refusal.ts';
import {
  asFailed,
  badCallback,
  needsCallback,
  reportIn,
  withData,
  withReport,
  withText,
} from './edit-callback.ts';

/** A callback with a valid signature and time, but wrong content, replaces each real one. */
export const mutated: Fault = {
  id: 'W7',
  kind: 'job',
  needs: needsCallback,
  plan: (context): JobFault => {
    const mutate = ofForm(context, mutations);
    return { report: (given, observation) => [badCallback(mutate(given, observation), observation)] };
  },
};

type Mutation = (given: Callback, observation: ReportObservation) => Callback;

const mutations: Readonly<Record<string, Mutation>> = {
  // The newest other job of the channel, or an invented one.
  'other-job': (given, observation) =>
    withReport(given, (report) =>
      withData(asFailed(report), { taskId: otherJob(observation), reference: null }),
    ),
  'other-reference': (given, observation) =>
    withReport(given, (report) => withData(report, { reference: otherJob(observation) })),
  'unknown-status': (given) => withReport(given, (report) => withData(report, { callbackType: 'archived' })),
  huge: (given) => ({ ...given, body: [...longBody(given, hugeBytes)] }),
  'huge-chunked': (given) => ({ ...given, body: [...longBody(given, hugeBytes)], sent: 'chunked' }),
  // Small when sent, large when decompressed.
  gzip: (given) => ({
    ...given,
    body: [gzipSync(Buffer.concat([...longBody(given, packedBytes)]))],
    headers: { 'content-encoding': 'gzip' },
  }),
  // Half of the body, then the connection breaks.
  'cut-body': (given) => ({ ...given, body: halvesOf(Buffer.concat(given.body)), sent: 'cut' }),
  'not-json': (given) => withText(given, 'callbackType=complete&code=200'),
  'wrong-type': (given) => ({ ...given, contentType: 'text/plain; charset=latin1' }),
  'foreign-links': (given) =>
    withReport(given, (report) => withData(report, { callbackType: 'complete', results: foreignResults })),
  'no-task': (given) => withText(given, JSON.stringify(withoutTask(reportIn(given)))),
  'odd-members': (given) =>
    withText(
      given,
      JSON.stringify({ code: '200', data: { callbackType: null, taskId: { id: 17 }, results: 'a' } }),
    ),
  deep: (given) => withText(given, `${'['.repeat(deepest)}${']'.repeat(deepest)}`),
  empty: (given) => ({ ...given, body: [] }),
};

/** Within the allowed size of a body. */
const deepest = 100_000;

/** The sizes of a huge body and of one that is unpacked, bytes. */
const hugeBytes = 5 * 1024 * 1024;
const packedBytes = 4 * 1024 * 1024;

/** The padding: one repeated piece, which needs no memory until the reader joins it. */
const padding = Buffer.alloc(64 * 1024, 'x');

function* longBody({ body }: Callback, minBytes: number): Iterable<Buffer> {
  yield Buffer.from('{"padding":"');
  for (let bytes = 0; bytes < minBytes; bytes += padding.length) yield padding;
  yield Buffer.from('",');
  yield Buffer.concat(body).subarray(1);
}

function halvesOf(body: Buffer): Buffer[] {
  const half = Math.floor(body.length / 2);
  return [body.subarray(0, half), body.subarray(half)];
}

/** Private addresses that a receiver must not fetch on behalf of a stranger. */
const foreignResults = ['http://169.254.169.254/latest/meta-data/', 'http://127.0.0.1:1/a.mp3'].map(
  (url) => ({ url, kind: 'audio', durationSec: 20 }),
);

function otherJob({ others, random }: ReportObservation): string {
  const invented = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
  return others[0] ?? invented;
}

function withoutTask(report: Report): object {
  const { callbackType, results } = report.data;
  return { ...report, data: { callbackType, results } };
}
