import { duration, instant } from '../durations.ts';
import type { Report, Verdict } from '../report.ts';
import type { TrendRun } from '../trend-run.ts';
import { badge } from './badge.ts';
import { html, type Markup } from './markup.ts';

const height = 100;
const width = 1_000;
/** Minimum number of columns: a single run must not fill the page. */
const leastPlaces = 8;

const parts: readonly {
  readonly name: 'passed' | 'failed' | 'untestable' | 'others';
  readonly tone: Verdict;
}[] = [
  { name: 'passed', tone: 'pass' },
  { name: 'others', tone: 'not-applicable' },
  { name: 'untestable', tone: 'untestable' },
  { name: 'failed', tone: 'fail' },
];

/** The results of the last runs of this target, and the rules that changed from run to run. */
export function trend({ trend: runs = [] }: Report): Markup | null {
  if (runs.length === 0) return null;
  return html`<section class="part" id="trend"><h2>Last runs</h2>
<p class="lead">Checks by verdict, oldest run first. A rule is new, fixed or changed compared with the last run that judged it. A changed rule fails for another reason.</p>
<div class="card"><div class="trend">${bars(runs)}</div>
<div class="wide"><table class="rows"><thead><tr><th scope="col">Run</th><th scope="col">Checks</th><th scope="col">Rules</th><th scope="col">Time</th></tr></thead>
<tbody>${runs.map(row).toReversed()}</tbody></table></div></div></section>`;
}

/** The table contains all that the bars show. */
function bars(runs: readonly TrendRun[]): Markup {
  const most = Math.max(1, ...runs.map(sumOf));
  const step = width / Math.max(leastPlaces, runs.length);
  return html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${runs.map(
    (run, at) => {
      let y = height;
      return parts.map(({ name, tone }) => {
        const tall = (run[name] / most) * height;
        // Even one failure in a thousand checks must be visible.
        const shown = run[name] > 0 && name === 'failed' ? Math.max(4, tall) : tall;
        y -= shown;
        return (
          shown > 0 &&
          html`<rect class="is-${tone}" x="${Math.round(at * step)}" y="${Math.max(0, y).toFixed(1)}" width="${Math.round(step * 0.8)}" height="${shown.toFixed(1)}"/>`
        );
      });
    },
  )}</svg>`;
}

function sumOf({ passed, failed, untestable, others }: TrendRun): number {
  return passed + failed + untestable + others;
}

function row(run: TrendRun, at: number): Markup {
  const shown = parts.filter(({ name }) => run[name] > 0 && name !== 'others');
  const rules = (['new', 'fixed', 'changed'] as const).filter((name) => run[name].length > 0);
  return html`<tr><td>${instant(run.started_at)}<small>seed ${run.seed}, ${run.size}</small></td>
<td>${shown.map(({ name, tone }) => html`${badge(tone, run[name])} `)}${run.others > 0 && html`<small>${run.others} others</small>`}</td>
<td>${rules.map((name) => changed(name, run[name]))}${rules.length === 0 && html`<span class="muted">${at === 0 ? 'the oldest run here' : 'as before'}</span>`}</td><td>${duration(run.duration_ms)}</td></tr>`;
}

const mostShown = 8;

function changed(name: string, ids: readonly string[]): Markup {
  const list = html`<span class="id">${ids.join(', ')}</span>`;
  if (ids.length <= mostShown) return html`<p>${ids.length} ${name}: ${list}</p>`;
  return html`<details><summary>${ids.length} ${name}</summary>${list}</details>`;
}
