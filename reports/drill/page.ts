import { duration, instant } from '../durations.ts';
import { html, type Markup } from '../html/markup.ts';
import { pageHead } from '../html/page-head.ts';
import { copyBox } from '../html/text-boxes.ts';
import { bars, chart, line, xOf } from './chart.ts';
import type { DrillChannel, DrillReport, JudgedThreshold } from './drill-report.ts';
import { inWords, measureNames, measures } from './measures.ts';

const ownStyle = `
svg{display:block;width:100%;min-width:42rem;height:auto}
.chart{overflow-x:auto;background:var(--surface);border:1px solid var(--line);border-radius:10px;margin-top:.5rem}
.band{fill:var(--sunken)}.band.odd{fill:color-mix(in srgb,var(--line) 45%,var(--surface))}
.name{font:600 11px var(--sans);fill:var(--muted)}.tick{font:11px var(--sans);fill:var(--muted)}
.grid{stroke:var(--line)}.well{stroke:var(--pass);stroke-width:2;stroke-dasharray:4 3}
.bar-ok{fill:var(--pass)}.bar-failed{fill:var(--fail)}.bar-bad{fill:var(--harness-error)}.bar-alone{fill:var(--warn);opacity:.35}
.line{fill:none;stroke-width:2}.line.p50{stroke:var(--observed)}.line.p99{stroke:var(--untestable)}
.key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;font-size:.875rem;color:var(--muted)}
.key i{display:inline-block;width:.8em;height:.8em;border-radius:2px;margin-right:.4em;background:var(--c)}
.sheet{border-collapse:collapse;width:100%;background:var(--surface)}
.sheet th,.sheet td{text-align:left;padding:.4rem .7rem;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
.sheet code,.sheet th{white-space:nowrap}.sheet td.n{text-align:right;font-variant-numeric:tabular-nums}.wide{overflow-x:auto}
@media(max-width:40rem){.sheet th,.sheet td{padding:.4rem .45rem}#thresholds .about{display:none}}
`;

/** A drill as one page that loads nothing: thresholds, charts over time with the phases, and every measure. */
export function renderDrill(report: DrillReport): string {
  return `<!doctype html>\n${html`<html lang="en">
${pageHead({ title: report.headline, css: ownStyle })}
<body>
${head(report)}
<main>
${thresholds(report)}
<section class="part"><h2>Over time</h2><p class="lead">Calls are shown when they were sent, requests when they reached an upstream. The bands are the phases of the scenario.</p>
${callChart(report)}${timeChart(report)}${attemptChart(report)}</section>
${report.channels.length > 0 && html`<section class="part"><h2>Channels</h2><p class="lead">Requests of each channel, and when its breaker was open.</p>${channelRows(report)}</section>`}
${codes(report)}
${figures(report)}
${examples(report)}
<footer>Gatecheck ${report.versions.gatecheck ?? ''}. The same facts are in drill.json.</footer>
</main>
</body>
</html>
`}`;
}

function head(report: DrillReport): Markup {
  const tone = report.exit_code === 0 ? 'pass' : report.exit_code === 1 ? 'fail' : 'warn';
  const fact = (name: string, value: string | number): Markup =>
    html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<header class="top is-${tone}"><div>
<p class="brand"><b>Gatecheck drill</b> <span class="badge solid">${report.scenario.name}</span> <span>exit code ${report.exit_code}</span></p>
<h1 dir="auto">${report.headline}</h1>
${report.scenario.description !== null && html`<p class="stopped">${report.scenario.description}</p>`}
${report.stopped !== null && html`<p class="stopped">The drill ended early: <b>${report.stopped}</b></p>`}
<dl class="facts">${fact('Target', report.target.name)}${fact('URL', report.target.base_url)}${fact('Calls', report.calls)}${fact('Rate', `${report.rate} a second`)}${fact('Load', `${report.seconds} s`)}${fact('Took', duration(report.duration_ms))}${fact('Seed', report.seed)}${fact('Started', instant(report.started_at))}</dl>
${copyBox('Repeat this drill', report.command)}</div></header>`;
}

/** A number and its unit stay on one line. */
const keepUnit = (seen: string): string => seen.replace(/^(\S+) (\S+)$/, '$1\u00a0$2');

function thresholds({ thresholds: judged }: DrillReport): Markup {
  const words = ({ holds }: JudgedThreshold): [tone: string, word: string] =>
    holds === null ? ['untestable', 'not measured'] : holds ? ['pass', 'holds'] : ['fail', 'fails'];
  return html`<section class="part" id="thresholds"><h2>Thresholds</h2><div class="wide"><table class="sheet"><thead><tr><th>Threshold</th><th>Result</th><th>Seen</th><th class="about">What it is about</th></tr></thead><tbody>${judged.map(
    (one) => {
      const [tone, word] = words(one);
      return html`<tr><td><code>${one.text}</code></td><td><span class="badge is-${tone}">${word}</span></td><td>${keepUnit(one.seen)}</td><td class="about">${measures[one.measure].title}</td></tr>`;
    },
  )}</tbody></table></div></section>`;
}

function key(...entries: readonly (readonly [colour: string, name: string])[]): Markup {
  return html`<p class="key">${entries.map(([colour, name]) => html`<span><i style="--c:var(--${colour})"></i>${name}</span>`)}</p>`;
}

function callChart(report: DrillReport): Markup {
  const { bins, bin_s: binS } = report;
  const highest = Math.max(1, ...bins.map(({ ok, failed, bad }) => (ok + failed + bad) / binS));
  const frame = { seconds: bins.length * binS, height: 220, highest };
  const stacks = bins.map(({ ok, failed, bad }) => [
    { name: 'ok', value: ok / binS },
    { name: 'failed', value: failed / binS },
    { name: 'bad', value: bad / binS },
  ]);
  const body = bars(frame, binS, stacks);
  return html`<h3>Calls a second</h3>${key(['pass', 'whole and right'], ['fail', 'failed'], ['harness-error', 'wrong or truncated'])}${chart(report, frame, { label: 'Calls a second over time, by how they ended', unit: '', body })}`;
}

function timeChart(report: DrillReport): Markup {
  const { bins, bin_s: binS } = report;
  const highest = Math.max(0.1, ...bins.map(({ p99_s }) => p99_s ?? 0));
  const frame = { seconds: bins.length * binS, height: 220, highest };
  const of = (name: 'p50' | 'p99'): Markup =>
    line(
      frame,
      binS,
      bins.map((bin) => bin[`${name}_s`]),
      name,
    );
  return html`<h3>Time until a call was over</h3>${key(['observed', 'median'], ['untestable', '99 of 100'])}${chart(report, frame, { label: 'Time until calls were over: median, and that of 99 of 100', unit: ' s', body: [of('p99'), of('p50')] })}`;
}

function attemptChart(report: DrillReport): Markup {
  const { bins, bin_s: binS } = report;
  const highest = Math.max(1, ...bins.map(({ attempts }) => attempts / binS));
  const frame = { seconds: bins.length * binS, height: 180, highest };
  const stacks = bins.map(({ attempts, failed_attempts: failed }) => [
    { name: 'ok', value: (attempts - failed) / binS },
    { name: 'failed', value: failed / binS },
  ]);
  return html`<h3>Upstream requests a second</h3>${key(['pass', 'answered'], ['fail', 'failed'])}${chart(report, frame, { label: 'Upstream requests a second over time', unit: '', body: bars(frame, binS, stacks) })}`;
}

function codes({ codes: found, calls, tasks }: DrillReport): Markup {
  return html`<section class="part"><h2>How calls ended</h2><div class="wide"><table class="sheet"><thead><tr><th>Code</th><th>Calls</th><th>Share</th></tr></thead><tbody>${found.map(
    ({ code, calls: some }) =>
      html`<tr><td><code>${code}</code></td><td class="n">${some}</td><td class="n">${Number(((100 * some) / calls).toFixed(2))} %</td></tr>`,
  )}</tbody></table></div>${tasks !== undefined && html`<p>Beside them ${tasks.sent} tasks with events: ${tasks.accepted} accepted, ${tasks.ended} ended, ${tasks.failed} of these as failures; events of ${tasks.events} arrived.</p>`}</section>`;
}

function figures({ measures: measured }: DrillReport): Markup {
  return html`<section class="part"><h2>Figures</h2><div class="wide"><table class="sheet"><thead><tr><th>Name</th><th>Value</th><th>What it is</th></tr></thead><tbody>${measureNames.map(
    (name) => {
      const { value, why } = measured[name];
      const words =
        value === null
          ? `not measured: ${why}`
          : inWords(name, value === 'never' ? Number.POSITIVE_INFINITY : value);
      return html`<tr><td><code>${name}</code></td><td>${words}</td><td>${measures[name].title}</td></tr>`;
    },
  )}</tbody></table></div></section>`;
}

function examples({ examples: some }: DrillReport): Markup | null {
  if (some.length === 0) return null;
  return html`<section class="part"><h2>Wrong and truncated answers</h2><ul>${some.map(
    ({ at_s, what, detail }) => html`<li>${Math.round(at_s)} s: <b>${what}</b> ${detail}</li>`,
  )}</ul></section>`;
}

/** A small chart per channel: its requests, and the times when it was left alone. */
function channelRows(report: DrillReport): Markup {
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
    return html`<rect class="bar-alone" x="${from}" y="26" width="${Math.round(10 * (until - from)) / 10}" height="58"><title>open from ${Math.round(from_s)} s to ${until_s === null ? 'the end' : `${Math.round(until_s)} s`}</title></rect>`;
  });
  const label = `Channel ${name}: ${attempts} requests, ${failed} failed, ${alone.length} times open`;
  return html`<h3><code>${name}</code> <span class="muted">${attempts} requests, ${failed} failed</span></h3>${chart(report, frame, { label, unit: '', body: [...rests, ...bars(frame, binS, stacks)] })}`;
}
