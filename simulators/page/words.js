// Short words for states, the same everywhere on the page.

/** @typedef {import('./main.js').App} App */

/** @typedef {import('../control/console-shapes.ts').ConsoleRow} Row */

/** Whether a request went well, so far as one sees from its answer. @param {Row} row */
export function stateOf(row) {
  if (row.ended === 'open') return row.waiting_at === null ? 'open' : 'waits';
  if (row.ended === 'client-gone') return 'left';
  if (row.ended === 'cut' || row.status === null) return 'cut';
  if (row.status >= 500 || row.says_error) return 'failed';
  return row.status >= 400 ? 'refused' : 'well';
}

/** @param {Row} row */
export function endWord(row) {
  if (row.waiting_at !== null) return row.waiting_at === 'hang' ? 'hangs' : `waits at ${row.waiting_at}`;
  if (row.says_error && row.ended === 'complete') return 'error';
  return { open: 'under way', complete: 'complete', cut: 'cut', 'client-gone': 'caller left' }[row.ended];
}

/** The native path, without tenant, channel and version. @param {Row} row */
export function shortPath({ path }) {
  return /\/v1(?:beta)?\/(.*)$/.exec(path)?.[1] ?? path;
}

/** What a fault that is set does, in a word or two. @param {import('../control/protocol.ts').Reply} reply */
export function replyWord({ fault, status, limits, job, gates }) {
  if (gates !== undefined) return 'held';
  if (fault !== undefined) return fault.id;
  if (limits !== undefined)
    return Object.entries(limits)
      .map(([what, most]) => `${most} ${what.replaceAll('_', ' ')}`)
      .join(', ');
  if (status !== undefined) return `status ${status}`;
  if (job?.hold !== undefined) return `jobs stay ${job.hold}`;
  return job?.end === undefined ? 'scripted answer' : `jobs end ${job.end}`;
}

/** What a set reply does, instead of its number, while it is set. @param {App} app @param {string} id */
export function ruleWord(app, id) {
  const set = app.state?.faults?.find((one) => one.id === id);
  return set === undefined ? id : replyWord(set.reply);
}
