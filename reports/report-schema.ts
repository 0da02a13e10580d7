import type { Evidence, ModelCalls } from './evidence.ts';
import type {
  CheckResult,
  Failure,
  MemberInQuestion,
  MissingFact,
  NotCovered,
  ProfileResult,
  Report,
  ReportedExchange,
  RequirementResult,
  Spent,
  Verdict,
  Waiver,
} from './report.ts';
import { levels, sizes, verdicts } from './report.ts';
import {
  count,
  instant,
  listOf,
  milliseconds,
  name,
  orNull,
  type Schema,
  shapeOf,
  summaryShape,
  text,
  textOrNull,
  texts,
} from './schema-shapes.ts';
import { time, timelineDefs } from './timeline-schema.ts';
import type { TrendRun } from './trend-run.ts';

const verdict: Schema = { enum: verdicts };
const level: Schema = { enum: levels };
const headers = listOf({ type: 'array', prefixItems: [text, text], items: false, minItems: 2 });

const exchange = shapeOf<ReportedExchange>(
  {
    label: text,
    request: shapeOf<ReportedExchange['request']>({ method: name, url: name, headers, body: text }),
    response: orNull(
      shapeOf<NonNullable<ReportedExchange['response']>>({
        status: { type: 'integer', minimum: 100, maximum: 999 },
        headers,
        body: text,
        first_byte_ms: milliseconds,
        end_ms: milliseconds,
      }),
    ),
    error: textOrNull,
    at_ms: time,
    mapping: texts,
  },
  ['at_ms', 'mapping'],
);

const failure = shapeOf<Failure>(
  {
    requirement: name,
    statement: text,
    section: text,
    aspect: name,
    seen_in: name,
    expected: text,
    actual: text,
    exchange: orNull({ $ref: '#/$defs/exchange' }),
    twin: orNull({ $ref: '#/$defs/exchange' }),
    timeline: { $ref: '#/$defs/timeline' },
    in_question: {
      ...listOf(shapeOf<MemberInQuestion>({ path: text, value: textOrNull, twin: textOrNull }, ['twin'])),
      minItems: 1,
    },
    upstream: textOrNull,
    input: textOrNull,
    curl: textOrNull,
    replay: name,
  },
  ['seen_in', 'in_question', 'timeline'],
);

const modelCalls = shapeOf<ModelCalls>(
  {
    asked: count,
    paid: count,
    prompt_tokens: count,
    completion_tokens: count,
    cached_tokens: count,
    cache_write_5m_tokens: count,
    cache_write_1h_tokens: count,
    images: count,
    seconds: count,
  },
  [
    'paid',
    'prompt_tokens',
    'completion_tokens',
    'cached_tokens',
    'cache_write_5m_tokens',
    'cache_write_1h_tokens',
    'images',
    'seconds',
  ],
);

const evidence = shapeOf<Evidence>(
  {
    cases: count,
    exchanges: count,
    reads: count,
    models: { type: 'object', additionalProperties: modelCalls },
    cases_digest: text,
    ways: { type: 'object', additionalProperties: count },
    places: { type: 'object', additionalProperties: count },
    undrawn: texts,
    notes: texts,
    missing: texts,
    property: orNull(
      shapeOf<NonNullable<Evidence['property']>>({
        seed: { type: 'integer' },
        path: textOrNull,
        runs: count,
        shrinks: count,
      }),
    ),
  },
  ['reads', 'models', 'ways', 'places', 'undrawn'],
);

const check: Schema = {
  ...shapeOf<CheckResult>(
    {
      id: name,
      title: text,
      area: name,
      requirements: texts,
      level,
      verdict,
      evidence,
      duration_ms: milliseconds,
      began_at: instant,
      failure: { $ref: '#/$defs/failure' },
      also: { ...listOf({ $ref: '#/$defs/failure' }), minItems: 1 },
      accepted: { ...listOf({ $ref: '#/$defs/failure' }), minItems: 1 },
      not_run: name,
      waiver: shapeOf<NonNullable<CheckResult['waiver']>>({ reason: name, until: textOrNull }),
    },
    ['failure', 'also', 'accepted', 'not_run', 'waiver', 'began_at'],
  ),
  allOf: [whenVerdictIs('fail', 'failure'), whenVerdictIs('waived', 'waiver')],
};

/** Percent by the name of a part of the interface. */
const shares: Schema = {
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 1, maximum: 100 },
};

const requirement = shapeOf<RequirementResult>({
  id: name,
  area: name,
  level,
  statement: text,
  section: text,
  verdict,
  reason: textOrNull,
  checks: texts,
});

/** The JSON Schema (2020-12) of `report.json`. It is closed, so that a misspelt member is an error. */
export const reportSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:gatecheck:report:1',
  title: 'Gatecheck report',
  ...shapeOf<Report>(
    {
      schema: { const: 'gatecheck.report/2' },
      target: shapeOf<Report['target']>({ name, base_url: text, profile: textOrNull }),
      seed: { type: 'integer' },
      size: { enum: sizes },
      started_at: instant,
      duration_ms: milliseconds,
      versions: shapeOf<Report['versions']>({ gatecheck: name, node: name, fast_check: name }),
      command: name,
      exit_code: { type: 'integer', minimum: 0, maximum: 255 },
      headline: name,
      spent: shapeOf<Spent>(
        { exchanges: count, paid: count, tokens: count, usd: textOrNull, is_simulated: { const: true } },
        ['is_simulated'],
      ),
      stopped: textOrNull,
      is_gone: { const: true },
      notices: listOf(name),
      shard: shapeOf<NonNullable<Report['shard']>>({
        part: { ...count, minimum: 1 },
        of: { ...count, minimum: 1 },
      }),
      waivers: listOf(
        shapeOf<Waiver>(
          {
            ...{ id: name, aspect: name, place: name, seed: { type: 'integer' } },
            ...{ reason: name, owner: name, until: name },
          },
          ['aspect', 'place', 'seed', 'owner', 'until'],
        ),
      ),
      minimum: shares,
      required: shares,
      trend: listOf(
        shapeOf<TrendRun>({
          ...{
            started_at: instant,
            duration_ms: milliseconds,
            seed: { type: 'integer' },
            size: { enum: sizes },
          },
          ...{ passed: count, failed: count, untestable: count, others: count },
          ...{ new: texts, fixed: texts, changed: texts },
        }),
      ),
      summary: summaryShape,
      checks: listOf({ $ref: '#/$defs/check' }),
      requirements: listOf(requirement),
      profiles: listOf(
        shapeOf<ProfileResult>(
          {
            name,
            areas: texts,
            verdict: { enum: ['pass', 'partial', 'fail', 'none'] },
            rules: count,
            judged: count,
            failed: count,
          },
          ['areas'],
        ),
      ),
      not_covered: listOf(
        shapeOf<NotCovered>({ id: name, area: name, statement: text, not_checked: textOrNull }),
      ),
      missing_facts: {
        type: 'object',
        additionalProperties: shapeOf<MissingFact>({ hint: text, yaml: textOrNull }),
      },
    },
    [
      'is_gone',
      'notices',
      'profiles',
      'shard',
      'spent',
      'waivers',
      'minimum',
      'required',
      'missing_facts',
      'trend',
    ],
  ),
  $defs: { exchange, failure, check, ...timelineDefs },
};

function whenVerdictIs(value: Verdict, member: 'failure' | 'waiver'): Schema {
  return { anyOf: [{ properties: { verdict: { not: { const: value } } } }, { required: [member] }] };
}
