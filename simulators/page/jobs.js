// Jobs of the tenant below their parents, and buttons that force what becomes of them.

import { html, nothing } from 'lit-html';
import { asTime } from './bytes.js';

/** @typedef {import('./main.js').App} App */
/** @typedef {import('../control/job-shapes.ts').JobState} Job */

/** @param {App} app */
export function jobsView(app) {
  const jobs = app.state?.jobs ?? [];
  const ids = new Set(jobs.map(({ id }) => id));
  const roots = jobs.filter(({ parent }) => parent === null || !ids.has(parent));
  return html`<h2>Jobs of tenant <code>${app.steered}</code></h2>
    ${
      jobs.length === 0
        ? html`<p class="hint">None. A submit to a channel of the jobs dialects begins one; to hold it in its queue, press the button first.</p>`
        : html`<ul class="jobs">${roots.map((job) => jobView(app, job, jobs, new Set()))}</ul>`
    }
    <button type="button" @click=${() =>
      app.act(async () => {
        await app.ofTenant('/faults', { reply: { job: { hold: 'queued' } } });
        return 'Every new job stays queued until you move it.';
      })}>Hold new jobs in their queue</button>`;
}

/** @param {number} count @param {string} word */
function counted(count, word) {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** @param {App} app @param {Job} job @param {readonly Job[]} jobs @param {ReadonlySet<string>} above @returns {unknown} */
function jobView(app, job, jobs, above) {
  const seen = new Set([...above, job.id]);
  const children = jobs.filter(({ parent, id }) => parent === job.id && !seen.has(id));
  const isOver = job.status !== 'queued' && job.status !== 'running';
  /** @type {readonly (readonly [string, object])[]} */
  const moves = [
    ...(job.status === 'queued' ? [/** @type {const} */ (['Run', { to: 'running' }])] : []),
    ['Succeed', { end: 'success' }],
    ['Fail', { end: 'failed' }],
    ['Cancel', { end: 'canceled' }],
  ];
  return html`<li>
    <div class="job is-${job.status}">
      <p><b class="state">${job.status}</b> <code>${job.id}</code> ${job.model} <small>${job.channel}</small></p>
      <p><small>${job.dialect} · ${asTime(Math.max(0, app.now - job.created_at_ms))} old · ${counted(job.submits, 'submit')} · ${counted(job.polls, 'poll')} · ${counted(job.downloads, 'download')}
        · <button type="button" class="as-link" @click=${() => {
          app.set({ tab: 'detail' });
          app.choose({ tenant: app.steered, n: job.request_n });
        }}>request ${job.request_n}</button></small></p>
      ${job.reports.map(
        (
          report,
        ) => html`<p><small>Report ${report.n} (${report.kind}${report.faulted === null ? '' : `, fault ${report.faulted}`}): ${report.tries} tries,
          last answer ${report.status ?? 'none'}</small></p>`,
      )}
      ${job.reports_open > 0 ? html`<p><small>${job.reports_open} reports to come</small></p>` : nothing}
      ${
        isOver
          ? nothing
          : html`<p class="buttons">${moves.map(
              ([word, move]) =>
                html`<button type="button" aria-label=${`${word} ${job.id}`} @click=${() =>
                  app.act(async () => {
                    const { status } = await app.ofTenant(`/jobs/${encodeURIComponent(job.id)}`, move);
                    return `${job.id}: ${status}`;
                  })}>${word}</button>`,
            )}</p>`
      }
    </div>
    ${children.length === 0 ? nothing : html`<ul>${children.map((child) => jobView(app, child, jobs, seen))}</ul>`}
  </li>`;
}
