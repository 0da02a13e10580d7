import type { CheckResult, Level, Report, RequirementResult, Verdict } from '../report.ts';
import { summarize } from '../summary.ts';
import {
  bufferedStream,
  leakedSlot,
  metadataWarning,
  wrongParam,
  wrongParamElsewhere,
} from './sample-failures.ts';

/** A sample report of a mediocre deployment: six areas, every verdict, three causes in five failed checks. */

type Row = [requirement: string, check: string, level: Level, verdict: Verdict, statement: string];

const rows: readonly Row[] = [
  ['AUTH-001', 'auth.bearer', 'MUST', 'pass', 'A business endpoint takes the key as a bearer token'],
  ['AUTH-004', 'auth.missing', 'MUST', 'pass', 'A request without the header is refused as invalid_api_key'],
  ['AUTH-005', 'auth.malformed', 'MUST', 'pass', 'A malformed header is refused as invalid_api_key'],
  ['AUTH-008', 'auth.disabled', 'MUST', 'untestable', 'A disabled key is refused as sk_disabled'],
  ['AUTH-009', 'auth.expired', 'MUST', 'untestable', 'A key past its expiry is refused as sk_expired'],
  [
    'AUTH-011',
    'auth.allow-list',
    'MUST',
    'untestable',
    'A caller outside the allow-list gets ip_not_allowed',
  ],
  ['AUTH-016', 'auth.before-body', 'MUST*', 'pass', 'The key is judged before the body is'],
  ['CHAT-001', 'chat.minimal', 'MUST', 'pass', 'A minimal body works on every enabled chat model'],
  ['CHAT-002', 'chat.optional-subsets', 'MUST', 'pass', 'Every field but model and messages may be left out'],
  ['CHAT-005', 'chat.unknown-model', 'MUST', 'pass', 'An unknown model id is model_not_found'],
  ['CHAT-006', 'chat.exact-model-id', 'MUST', 'pass', 'Model ids are taken as written, with no folding'],
  [
    'CHAT-010',
    'chat.transcript-forwarded',
    'MUST',
    'pass',
    'Order and content of messages reach the upstream',
  ],
  ['CHAT-012', 'chat.temperature-range', 'MUST', 'fail', 'temperature goes from 0 to 2 inclusive'],
  [
    'CHAT-017',
    'chat.top-p-range',
    'SHOULD',
    'observed',
    'top_p is a probability mass; its range is not printed',
  ],
  ['CHAT-021', 'chat.max-tokens-caps', 'MUST', 'pass', 'max_tokens caps the completion'],
  ['CHAT-027', 'chat.tool-choice', 'MUST', 'fail', 'tool_choice as a string is none, auto or required'],
  ['CHAT-041', 'chat.metadata-keys', 'MUST', 'waived', 'metadata takes at most 16 keys'],
  ['CHAT-048', 'chat.unknown-fields', 'MUST*', 'observed', 'Fields outside the table are handled in one way'],
  ['RESP-001', 'resp.shape', 'MUST', 'pass', 'A completion has the documented shape'],
  ['RESP-004', 'resp.created-now', 'MUST', 'pass', 'created is the time of the answer in whole seconds'],
  ['RESP-007', 'resp.finish-reason', 'MUST', 'pass', 'finish_reason is one of four words and true'],
  ['RESP-011', 'resp.usage-sum', 'MUST', 'pass', 'total_tokens is the sum of the two counts'],
  ['RESP-013', 'resp.usage-monotone', 'MUST', 'pass', 'A longer prompt never counts fewer tokens'],
  ['RESP-015', 'resp.cached-tokens', 'MUST', 'not-applicable', 'Tokens read from the cache are reported'],
  ['SSE-001', 'sse.content-type', 'MUST', 'pass', 'A stream is sent as text/event-stream'],
  ['SSE-003', 'sse.first-role', 'MUST', 'pass', 'The first delta carries the assistant role'],
  ['SSE-004', 'sse.unbuffered', 'MUST', 'fail', bufferedStream.statement],
  ['SSE-006', 'sse.done', 'MUST', 'pass', 'The stream ends with the done marker and nothing after it'],
  ['SSE-009', 'sse.equals-plain', 'MUST', 'pass', 'The joined deltas equal the plain answer'],
  ['SSE-012', 'sse.usage-last', 'MUST', 'harness-error', 'The last chunk carries the usage'],
  ['ERR-002', 'err.shape', 'MUST', 'pass', 'Every error has a JSON body with an error object'],
  ['ERR-008', 'err.triples', 'MUST', 'pass', 'Code, status and type go together as in the table'],
  ['ERR-009', 'err.no-raw-upstream', 'MUST', 'untestable', 'Nothing of an upstream error comes through'],
  ['ERR-013', 'err.repeatable', 'SHOULD', 'warn', metadataWarning.statement],
  ['ERR-018', 'err.admin-path', 'MUST', 'pass', 'A business key on an admin path is refused as one'],
  ['ERR-024', 'err.param-names-field', 'MUST', 'fail', wrongParam.statement],
  ['LIM-001', 'lim.cap', 'MUST', 'pass', 'Three requests of one user run at once, a fourth is refused'],
  ['LIM-002', 'lim.cap-shared', 'MUST', 'untestable', 'The cap is shared by all keys of a user'],
  ['LIM-004', 'lim.slot-freed', 'MUST', 'fail', leakedSlot.statement],
  ['LIM-006', 'lim.refused-at-once', 'SHOULD', 'warn', 'A refusal comes at once and is not queued'],
  ['LIM-016', 'lim.context-window', 'MUST', 'pass', 'Prompt and max_tokens together stay in the window'],
];

const missing: Readonly<Record<string, string[]>> = {
  'auth.disabled': ['keys.disabled'],
  'auth.expired': ['keys.expired', 'hooks.clock'],
  'auth.allow-list': ['keys.ip_restricted'],
  'err.no-raw-upstream': ['upstream.control'],
  'lim.cap-shared': ['keys.K2', 'upstream.control'],
  'resp.cached-tokens': ['models: no prompt cache declared'],
};

const notes: Readonly<Record<string, string[]>> = {
  'chat.top-p-range': ['1.1 was accepted with 200', '-0.1 was refused with 400 invalid_param, param "top_p"'],
  'chat.unknown-fields': ['logprobs was ignored', 'n=2 was refused with 400 invalid_param'],
  'err.repeatable': ['the third of three equal requests got another code'],
  'lim.refused-at-once': ['the refusal took 3.4 s, advice is below 2 s'],
  'sse.usage-last': ['TypeError: cannot read the usage of undefined (suites/checks/sse/usage-last)'],
  'chat.exact-model-id': ['tolerated: a trailing space was refused as invalid_param'],
};

const failures: Readonly<Record<string, CheckResult['failure']>> = {
  'err.param-names-field': wrongParam,
  'chat.temperature-range': wrongParamElsewhere('chat.temperature-range', {}),
  'chat.tool-choice': wrongParamElsewhere('chat.tool-choice', {
    expected: '400 invalid_param with error.param "tool_choice"',
    actual: '400 invalid_param with error.param "tools"',
  }),
  'sse.unbuffered': bufferedStream,
  'lim.slot-freed': leakedSlot,
  'err.repeatable': metadataWarning,
};

/** A fresh copy of the sample, which a test may modify freely. */
export function sampleReport(): Report {
  const checks = rows.map((row, index) => checkOf(row, index));
  return {
    schema: 'gatecheck.report/2',
    target: { name: 'staging-eu', base_url: 'https://gateway.example.test', profile: 'deployment.yaml' },
    seed: 20261121,
    size: 'quick',
    started_at: '2026-11-21T14:53:04.118Z',
    duration_ms: 21_480,
    versions: { gatecheck: '0.1.0', node: '26.10.0', fast_check: '4.10.2' },
    command: 'npx gatecheck run --target deployment.yaml --seed 20261121',
    exit_code: 1,
    headline:
      '5 of 41 checks failed: error params, stream buffering and slots after a disconnect; start with ERR-024.',
    stopped: null,
    summary: summarize(checks),
    checks,
    requirements: rows.map(requirementOf),
    not_covered: notCovered(),
  };
}

/** A report of a run that ended before its first check. */
export function emptyReport(): Report {
  return {
    ...sampleReport(),
    duration_ms: 12,
    exit_code: 3,
    headline: 'Nothing listens at https://gateway.example.test: start the gateway or correct --base-url.',
    stopped: 'unreachable: connect ECONNREFUSED',
    summary: summarize([]),
    checks: [],
    requirements: [],
    not_covered: [],
  };
}

/** The same target a day later, with every rule kept. */
export function conformingReport(): Report {
  const report = sampleReport();
  const checks = report.checks.map((check): CheckResult => {
    const { failure: _failure, waiver: _waiver, ...rest } = check;
    return { ...rest, verdict: 'pass', evidence: { ...rest.evidence, missing: [] } };
  });
  return {
    ...report,
    exit_code: 0,
    headline: 'All 41 checks passed: the target conforms to every rule that was checked.',
    summary: summarize(checks),
    checks,
    requirements: report.requirements.map((row) => ({ ...row, verdict: 'pass', reason: null })),
  };
}

function checkOf([requirement, id, level, verdict, statement]: Row, index: number): CheckResult {
  const property = index % 3 === 0;
  const ran = verdict !== 'untestable' && verdict !== 'not-applicable';
  const result: CheckResult = {
    id,
    title: statement,
    area: areaOf(requirement),
    requirements: id === 'err.param-names-field' ? [requirement, 'ERR-007'] : [requirement],
    level,
    verdict,
    evidence: {
      cases: ran ? (property ? 22 : 4) : 0,
      exchanges: ran ? (property ? 44 : 6) : 0,
      cases_digest: ran ? `sha256:${(index * 7919 + 104_729).toString(16).padStart(12, '0')}` : '',
      ...(ran && { places: placesOf(id, index) }),
      notes: notes[id] ?? [],
      missing: missing[id] ?? [],
      property: property && ran ? { seed: 20261121 + index, path: null, runs: 22, shrinks: 0 } : null,
    },
    duration_ms: ran ? 40 + ((index * 137) % 900) : 0,
  };
  const failure = failures[id];
  if (failure !== undefined) result.failure = structuredClone(failure);
  if (verdict === 'waived') {
    result.waiver = { reason: '17 keys are accepted until the billing labels move out', until: '2027-01-31' };
  }
  return result;
}

function placesOf(id: string, index: number): Record<string, number> {
  if (id.startsWith('sse.')) return { 'core, stream, alpha': 4, 'core, stream, delta': 2 };
  return index % 2 === 0 ? { 'core, alpha': 6 } : { 'core, alpha': 3, 'core, beta': 2, models: 1 };
}

function requirementOf([id, check, level, verdict, statement]: Row): RequirementResult {
  const facts = missing[check] ?? [];
  const stopped = verdict === 'fail' && failures[check]?.requirement !== id;
  return {
    id,
    area: areaOf(id),
    level,
    statement,
    section: `${areaOf(id)} part of the specification`,
    verdict: stopped ? 'untestable' : verdict,
    reason: stopped
      ? `${check} stopped at ${failures[check]?.requirement}`
      : verdict === 'untestable'
        ? `missing: ${facts.join(', ')}`
        : null,
    checks: [check],
  };
}

function notCovered(): Report['not_covered'] {
  const hooks = Array.from({ length: 7 }, (_, index) => ({
    id: `HOOK-00${index + 1}`,
    area: 'HOOK',
    statement: 'A rule of events',
    not_checked: null,
  }));
  const advice = {
    id: 'EP-001',
    area: 'EP',
    statement: 'Advice to clients',
    not_checked: 'It is about clients.',
  };
  return [advice, ...hooks];
}

function areaOf(requirement: string): string {
  return requirement.slice(0, requirement.indexOf('-'));
}
