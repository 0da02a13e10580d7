import type { Callback } from '../../answers/callback.ts';
import type { FaultContext, ReportObservation } from '../../fault-contract/fault.ts';
import { isObject, parseJson, valueAt } from '../../json/json-body.ts';
import type { Report } from '../../providers/callback-jobs/reply.ts';

/** A fault of callbacks needs a submit with a `callback_url`. */
export function needsCallback({ request }: FaultContext): string | null {
  const isNamed = typeof valueAt(parseJson(request), ['callback_url']) === 'string';
  return isNamed ? null : 'a submit with a callback_url';
}

/** Whether the callback reports the end of the job. */
export function isEnd({ kind }: Callback): boolean {
  return kind === 'complete' || kind === 'error';
}

/** The callback, marked as changed by the form of the fault. */
export function markFaulted(given: Callback, { form }: ReportObservation): Callback {
  return { ...given, faultForm: form ?? 'faulted' };
}

/** An invalid callback. A receiver must reject it, so it is sent only once. */
export function badCallback(given: Callback, observation: ReportObservation): Callback {
  return { ...markFaulted(given, observation), maxTries: 1 };
}

/** The callback with a new body. */
export function withText(given: Callback, text: string): Callback {
  return { ...given, body: [Buffer.from(text)] };
}

/** The callback with a changed report of the job. */
export function withReport(given: Callback, change: (report: Report) => Report): Callback {
  const report = change(reportIn(given));
  return { ...withText(given, JSON.stringify(report)), kind: report.data.callbackType };
}

/** The report in a callback. */
export function reportIn({ body }: Callback): Report {
  const report = parseJson(Buffer.concat(body));
  if (!isObject(report)) throw new TypeError('the callback says nothing yet that could be changed');
  return report as Report;
}

/** The report with changed members in its `data`. */
export function withData(report: Report, data: Partial<Report['data']>): Report {
  return { ...report, data: { ...report.data, ...data } };
}

/** A report of failure, regardless of the real outcome. */
export function asFailed(report: Report): Report {
  const failed = { code: 501, msg: 'generation failed' };
  return { ...withData(report, { callbackType: 'error', results: [] }), ...failed };
}

/** The callback with a new id. */
export function underNewId(given: Callback, { random }: ReportObservation): Callback {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const id = Array.from({ length: 24 }, () => random.pick([...letters])).join('');
  return { ...given, id: `cb_${id}` };
}
