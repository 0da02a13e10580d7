import { html, type Markup } from '../html/markup.ts';
import { bars, chart, xOf } from './chart.ts';
import type { DrillChannel, DrillReport } from './drill-report.ts';

/** Each channel as a small chart of its own: its requests, and the times when it was left alone. */
export function channelRows(report: DrillReport): Markup {
  return html`${report.channels.map((channel) => row(report, channel))}`;
}

function row(report: DrillReport, { name, attempts, failed, left_alone: alone, bins }: DrillChannel): Markup {
  const { bin_s: binS } = report;
  const seconds = report.bins.length * binS;
  const frame = { seconds, height: 110, highest: Math.max(1, ...bins.map(([all]) => all / binS)) };
  const stacks = bins.map(([all, bad]) => [
    { name: 'ok', value: (all - bad) / binS },
    { name: 'failed', value: bad / binS },
  ]);
  const rests = alone.map(({ from_s, until_s }) => {
    const [from, until] = [xOf(frame, from_s), xOf(frame, until_s ?? seconds)];
    return html`<rect class="bar-alone" x="${from}" y="26" width="${Math.round(10 * (until - from)) / 10}" height="58"><title>left alone from ${Math.round(from_s)} s to ${until_s === null ? 'the end' : `${Math.round(until_s)} s`}</title></rect>`;
  });
  const label = `Channel ${name}: ${attempts} requests, ${failed} failed, ${alone.length} times left alone`;
  return html`<h3><code>${name}</code> <span class="muted">${attempts} requests, ${failed} failed</span></h3>${chart(report, frame, { label, unit: '', body: [...rests, ...bars(frame, binS, stacks)] })}`;
}
