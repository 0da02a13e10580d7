import { duration } from '../../durations.ts';
import type { FailureTimeline, LaneName, TimelineLane, TimelineRow } from '../../failure-timeline.ts';
import { html, type Markup } from '../markup.ts';
import { type Axis, axisOf } from './axis.ts';
import { bar, breakerBar } from './bars.ts';

/** How much of a timeline a page shows to stay small: with the bytes of requests, or without. */
export type Detail = 'bytes' | 'rows';

const laneWords: Readonly<Record<LaneName, string>> = {
  client: 'Client',
  upstream: 'Upstream',
  receiver: 'Receiver of events',
};

/** The timeline of a failure: three lanes over a common time, and the moment of the violation. */
export function story(timeline: FailureTimeline, detail: Detail): Markup {
  const { moment, breakers = [] } = timeline;
  const lanes: LaneName[] = ['client', 'upstream', 'receiver'];
  const axis = axisOf([
    ...lanes.flatMap((lane) =>
      timeline[lane].rows.map(({ from_ms: from, to_ms: to }) => ({
        from,
        to: Math.max(from, to ?? moment.at_ms),
      })),
    ),
    { from: moment.at_ms, to: moment.at_ms },
  ]);
  return html`<section class="story"><h4>What happened</h4>
<p class="muted">Times since the check began, by the clock of the deployment. The vertical line is the moment that broke the rule: <b>${momentInWords(timeline)}</b></p>
<div class="lanes-box" tabindex="0" role="group" aria-label="Timeline of the failure"><table class="lanes"><thead><tr><th scope="col">Request</th><th scope="col">Answer</th><th scope="col">When</th><th scope="col"><span class="scale"><span>${stamp(axis.from)}</span><span>${stamp(axis.to)}</span></span></th></tr></thead>
${lanes.map((lane) => laneBody(lane, timeline, { axis, detail }))}</table></div>
${breakers.length > 0 && html`<p class="muted">Red stretches: when the declared circuit breaker must be open.</p>`}</section>`;
}

/** '+1.1 s, client: POST /api/v1/chat/completions'. */
function momentInWords({ moment, ...lanes }: FailureTimeline): string {
  const { at_ms: at, lane, row } = moment;
  if (lane === null) return `${stamp(at)}, when the check compared what it had seen.`;
  const shown = row === null ? undefined : lanes[lane].rows[row];
  const what = shown === undefined ? '' : `: ${shown.label}, ${shown.method} ${pathOf(shown)}`;
  return `${stamp(at)}, ${laneWords[lane].toLowerCase()}${what}.`;
}

interface Drawing {
  readonly axis: Axis;
  readonly detail: Detail;
}

function laneBody(name: LaneName, timeline: FailureTimeline, drawing: Drawing): Markup {
  const lane = timeline[name];
  const { moment, breakers = [] } = timeline;
  return html`<tbody><tr class="lane"><th colspan="4" scope="rowgroup">${laneWords[name]} <small>${counted(lane)}</small></th></tr>
${lane.rows.map((row, at) => requestRow(row, { ...drawing, isMoment: moment.lane === name && moment.row === at, at: moment.at_ms }))}${
  name === 'upstream' &&
  breakers.map(
    (span) =>
      html`<tr class="breaker"><td><b>${span.channel}</b> must rest</td><td></td><td>${stamp(span.from_ms)}, ${duration(span.to_ms - span.from_ms)}</td><td class="bar">${breakerBar(span, drawing.axis, moment.at_ms)}</td></tr>`,
  )
}</tbody>`;
}

function counted({ rows, left_out: more = 0, no_source: none }: TimelineLane): string {
  if (none !== undefined) return `not recorded: ${none}`;
  if (rows.length === 0) return 'no request';
  return `${rows.length} ${rows.length === 1 ? 'request' : 'requests'}${more > 0 ? `, ${more} more are not shown` : ''}`;
}

function requestRow(
  row: TimelineRow,
  { axis, detail, isMoment, at }: Drawing & { readonly isMoment: boolean; readonly at: number },
): Markup {
  const { role, label, note, from_ms: from, to_ms: to, first_byte_ms: first } = row;
  const tone = isMoment ? 'moment' : (role ?? 'other');
  const took = to === null ? 'not ended' : duration(Math.max(0, to - from));
  const waited =
    first !== null && to !== null && to - first > 2 ? `, first byte after ${duration(first - from)}` : '';
  return html`<tr class="r-${tone}"><td><b>${label}</b>${role === 'twin' && ' (twin)'} <code>${row.method} ${pathOf(row)}</code>${
    note !== undefined && html` <small>${note}</small>`
  }${isMoment && html` <span class="here">here the rule broke</span>`}${detail === 'bytes' && bytesOf(row)}</td>
<td>${row.status ?? '–'}</td><td>${stamp(from)} <small>${took}${waited}</small></td><td class="bar">${bar(row, axis, { at, isMoment })}</td></tr>`;
}

function bytesOf({ request, answer }: TimelineRow): Markup | null {
  if ((request ?? '') === '' && (answer ?? '') === '') return null;
  return html`<details><summary>bytes</summary>${request !== undefined && request !== '' && html`<pre tabindex="0">${request}</pre>`}${
    answer !== undefined && answer !== '' && html`<pre tabindex="0">${answer}</pre>`
  }</details>`;
}

/** Maximum characters of a path, enough to distinguish requests. */
const longestPath = 60;

function pathOf({ path }: TimelineRow): string {
  return path.length > longestPath ? `${path.slice(0, longestPath)}…` : path;
}

/** A time since the check began: '+1.1 s'. */
function stamp(ms: number): string {
  return ms < 0 ? `−${duration(-ms)}` : `+${duration(ms)}`;
}
