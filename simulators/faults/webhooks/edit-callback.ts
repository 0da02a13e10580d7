import type { Callback } from '../../answers/callback.ts';
import type { FaultContext, ReportObservation } from '../../fault-contract/fault.ts';
import { isObject, parseJson, valueAt } from '../../json/json-body.ts';
import type { Report } from '../../providers/callback-jobs/reply.ts';

/** A fault of reports needs a submit that names a URL to report to. */
export function needsCallback({ request }: FaultContext): string | null {
  const isNamed = typeof valueAt(parseJson(request), ['callback_url']) === 'string';
  return isNamed ? null : 'a submit with a callback_url';
}

/** Whether it reports that the job is over. */
export function isEnd({ kind }: Callback): boolean {
  return kind === 'complete' || kind === 'error';
}

/** The callback marked as the work of the fault, in the word of its form. */
export function markFaulted(given: Callback, { form }: ReportObservation): Callback {
  return { ...given, faultForm: form ?? 'faulted' };
}

/** One that the fault made bad. It is not accepted, and not tried again. */
export function badCallback(given: Callback, observation: ReportObservation): Callback {
  return { ...markFaulted(given, observation), maxTries: 1 };
}

/** The callback with another text. */
export function withText(given: Callback, text: string): Callback {
  return { ...given, body: [Buffer.from(text)] };
}

/** The callback that says something else of the job. */
export function withReport(given: Callback, change: (report: Report) => Report): Callback {
  const report = change(reportIn(given));
  return { ...withText(given, JSON.stringify(report)), kind: report.data.callbackType };
}

/** What a callback says. */
export function reportIn({ body }: Callback): Report {
  const report = parseJson(Buffer.concat(body));
  if (!isObject(report)) throw new TypeError('the callback says nothing yet that could be changed');
  return report as Report;
}

/** The report with other members in what it says of the job. */
export function withData(report: Report, data: Partial<Report['data']>): Report {
  return { ...report, data: { ...report.data, ...data } };
}

/** That the job failed, whatever became of it. */
export function asFailed(report: Report): Report {
  const failed = { code: 501, msg: 'generation failed' };
  return { ...withData(report, { callbackType: 'error', results: [] }), ...failed };
}

/** The callback under an id of its own. */
export function underNewId(given: Callback, { random }: ReportObservation): Callback {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const id = Array.from({ length: 24 }, () => random.pick([...letters])).join('');
  return { ...given, id: `cb_${id}` };
}
