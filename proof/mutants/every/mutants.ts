import { errorTable } from '../../../suites/oracle/error-table.ts';
import { inErrors } from '../../../suites/rewrite/refusal-edits.ts';
import { choiceOf, deltaOf, inChunks, refusesTooLate } from '../../edits/chat-edits.ts';
import { eventsA, frontA } from '../../edits/compat-a-edits.ts';
import { frontB } from '../../edits/compat-b-edits.ts';
import { front, type Mutant, source, upstream } from '../../edits/mutant.ts';
import { fromUpstream } from '../../edits/native-edits.ts';
import { misled, ownParts } from './answers.ts';
import { silentEnds, steps } from './tasks.ts';

/** The message of a Go library about an unreachable upstream. */
const inGo = inErrors((error) => {
  if (error.type === 'api_error') error.message = 'dial tcp 10.0.0.5:8443: connect: connection refused';
});

/** Gateways with a defect that shows in exchanges of unrelated checks. */
const answers: readonly (readonly [requirement: string, what: string, isMeant: string])[] = [
  ['RESP-001', 'completions', 'request.native === null && !request.stream'],
  ['SSE-013', 'streams', 'request.native === null && request.stream'],
  ['COMPA-010', 'messages', "request.native?.dialect === 'messages'"],
];

const sameIdInASecond: readonly Mutant[] = answers.map(([requirement, what, isMeant]) =>
  source(
    [`every.ids-of-${what}`, `all ${what} of a second share an id`, requirement, 'id-of-its-own'],
    'endpoints/chat/answer.ts',
    'id: service.newId(adapter.idPrefix),',
    `id: ${isMeant} ? \`\${adapter.idPrefix}\${Math.floor(exchange.clock.now() / 1000)}\` : service.newId(adapter.idPrefix),`,
  ),
);

export const everyMutants: readonly Mutant[] = [
  ...silentEnds,
  source(
    [
      'every.submit-time-of-start',
      'reads show the start of a task for its submission',
      'TASK-012',
      'same-submit-time',
    ],
    'services/tasks/task-view.ts',
    'submit_time: new Date(submittedAtMs).toISOString(),\n    result_urls',
    "submit_time: new Date(submittedAtMs + (status === 'QUEUED' ? 0 : 60_000)).toISOString(),\n    result_urls",
  ),
  // Another mutant of this aspect: most answers state a total.
  source(
    [
      'every.total-demanded',
      'an answer whose upstream states no total has no completion',
      'RESP-022',
      'verbatim',
    ],
    'upstreams/usage/arrange-counts.ts',
    'if (total === 0) return sides;',
    'if (total === 0) return { ...sides, completion: 0 };',
  ),
  ...steps,
  front(
    ['every.errors-of-go', 'refusals speak in the words of a Go library', 'ERR-009', 'no-foreign-words'],
    inGo,
  ),
  frontA(['every.errors-of-go-on-a', 'compat path A speaks in them', 'COMPA-020', 'no-foreign-words'], inGo),
  frontB(['every.errors-of-go-on-b', 'compat path B speaks in them', 'COMPB-016', 'no-foreign-words'], inGo),
  source(
    [
      'every.outage-hint-in-ms',
      'an outage of images states its Retry-After in milliseconds',
      'ROUTE-017',
      'outage-hint-in-seconds',
    ],
    'services/images/dispatch.ts',
    "if (result.kind === 'untried') throw result.refusal;",
    `if (result.kind === 'untried')
    throw Object.assign(result.refusal, { retryAfterS: (result.refusal.retryAfterS ?? 0) * 1_000 });`,
  ),
  front(
    ['every.errors-with-paths', 'refusals name a place in the source', 'ERR-005', 'no-inside-words'],
    inErrors((error) => {
      error.message = `${String(error.message)} (/srv/gateway/route.go:41)`;
    }),
  ),
  front(
    ['every.errors-with-keys', 'refusals repeat the key of their caller', 'ERR-005', 'no-secret'],
    inErrors((error, _, { headers }) => {
      const [, key = ''] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
      error.message = `Refused for ${key.replace(/^Bearer /, '')}.`;
    }),
  ),
  front(
    ['every.deltas-with-null-calls', 'text deltas hold null for calls', 'TOOL-018', 'chunk-shape'],
    inChunks((chunk) => {
      if (typeof deltaOf(chunk).content === 'string') deltaOf(chunk).tool_calls = null;
      return undefined;
    }),
  ),
  frontA(
    ['every.input-counted-late', 'streams begin with an input of 0', 'COMPA-010', 'counts-at-start'],
    eventsA((event) => {
      if (event.type === 'message_start')
        Object.assign((event.message as { usage: object }).usage, { input_tokens: 0 });
      if (event.type === 'message_delta') event.usage = { input_tokens: 12, ...(event.usage as object) };
      return [event];
    }),
  ),
  upstream(
    [
      'every.failed-end-as-stop',
      'an upstream that ends by error has answered',
      'RESP-009',
      'failure-never-whole',
    ],
    fromUpstream('chat-completions', (part) => {
      if (choiceOf(part).finish_reason === 'error') choiceOf(part).finish_reason = 'stop';
    }),
  ),
  front(
    ['every.unknown-models-asked', 'upstreams are asked before the model', 'ERR-023', 'no-upstream-call'],
    refusesTooLate(
      ({ model }) => typeof model === 'string' && model.startsWith('no-such'),
      (body) => {
        body.model = 'alpha-5-2';
      },
      'model_not_found',
    ),
  ),
  front(
    [
      'every.upstream-account-shown',
      'a bad upstream key is one of the caller',
      'ERR-010',
      'attempt-not-the-callers',
    ],
    inErrors((error) => {
      if (error.code !== 'upstream_error') return undefined;
      Object.assign(error, { code: 'invalid_api_key', type: errorTable.invalid_api_key.type });
      return errorTable.invalid_api_key.status;
    }),
  ),
  source(
    ['every.holds-kept', 'the hold of a failed call is never released', 'BILL-008', 'hold-let-go'],
    'billing/hold-allowance.ts',
    'return ledger.release(requestId, clock.now());',
    'return;',
  ),
  // A second mutant: holds of tasks end with the task, long after its call.
  source(
    ['every.expired-holds', 'the hold of a task that expires is never let go', 'BILL-008', 'hold-let-go'],
    'services/tasks/charge.ts',
    'await ledger.settle(taskRecord(task, ending, atMs));',
    "if (ending.status !== 'EXPIRED') await ledger.settle(taskRecord(task, ending, atMs));",
  ),
  source(
    [
      'every.seeds-remembered',
      'an equal chat with a seed is answered from memory, and charged again',
      'BILL-001',
      'upstream-asked',
    ],
    'endpoints/chat/chat.ts',
    'const result = await inTurn(body, () => dispatch({ service, caller, request, route, gone, call }));',
    `const kept = (globalThis.kept ??= new Map());
    const name = request.fields.seed == null || request.stream ? null : caller.accountId + bytes;
    const result =
      kept.get(name) ?? (await inTurn(body, () => dispatch({ service, caller, request, route, gone, call })));
    if (name !== null && result.outcome.kind === 'completion') kept.set(name, result);`,
  ),
  source(
    [
      'every.fee-of-no-call',
      'a chat costs a fee besides, which the ledger shows for no call',
      'BILL-001',
      'books-of-the-account',
    ],
    'endpoints/chat/record-end.ts',
    "await recordUsage(job, hasLeft ? 'client_gone' : outcome, usage);",
    `await recordUsage(job, hasLeft ? 'client_gone' : outcome, usage);
  await job.service.ledger.correct({
    accountId: job.caller.accountId,
    id: 'fee-' + job.requestId,
    amount: -1_000n,
    note: null,
    requestId: null,
    atMs: job.startedAtMs,
  });`,
  ),
  // A second mutant: money that comes back, to any account.
  source(
    [
      'every.refund-of-no-charge',
      'a task that fails after a failed poll is refunded, though it was never charged',
      'BILL-001',
      'books-of-the-account',
    ],
    'services/tasks/charge.ts',
    'await ledger.settle(taskRecord(task, ending, atMs));',
    `await ledger.settle(taskRecord(task, ending, atMs));
  if (ending.status === 'FAILED' && task.pollTries > 0)
    await ledger.correct({
      accountId: task.accountId,
      id: 'refund-' + task.id,
      amount: chargeForUnits(1, task.price.unitPico, task.price.markupBp),
      note: null,
      requestId: null,
      atMs,
    });`,
  ),
  source(
    [
      'every.images-use-quota',
      "images count a thousand tokens of the month's quota",
      'LIM-011',
      'tokens-of-the-calls',
    ],
    'services/images/charge.ts',
    '...noTokens,',
    '...noTokens,\n    prompt_tokens: 1_000n,',
  ),
  source(
    [
      'every.streams-use-no-quota',
      "the completions of streams count nothing of the month's quota",
      'LIM-011',
      'no-fewer-tokens',
    ],
    'billing/post-commands.ts',
    'completion_tokens: record.completion_tokens.toString(),',
    "completion_tokens: record.stream ? '0' : record.completion_tokens.toString(),",
  ),
  // A second mutant: what the account pays for, but not with its quota.
  source(
    [
      'every.breaks-use-no-quota',
      "a stream that breaks is charged, and counts nothing of the month's quota",
      'LIM-011',
      'no-fewer-tokens',
    ],
    'billing/post-commands.ts',
    'const { started_at_ms, ended_at_ms, ...rest } = record;',
    `if (record.stream && record.outcome !== 'success' && record.outcome !== 'client_gone')
    record = { ...record, prompt_tokens: 0n, completion_tokens: 0n };
  const { started_at_ms, ended_at_ms, ...rest } = record;`,
  ),
  source(
    ['every.credit-unseen', 'every chat is refused with quota_exceeded', 'ERR-021', 'credit-left'],
    'billing/hold-allowance.ts',
    "if (admission !== 'held') throw",
    "if (admission !== 'held' || overshoots === true) throw",
  ),
  ...sameIdInASecond,
  ...ownParts,
  ...misled,
];
