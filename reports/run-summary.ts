import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { failuresOf } from './failures-of.ts';
import { type Report, type Size, type Summary, sizes, type Verdict, verdicts } from './report.ts';
import { count, instant, milliseconds, name, shapeOf, summaryShape, texts } from './schema-shapes.ts';

/** What a run stores for later runs: counts and verdicts, never requests or answers. */
export interface RunSummary {
  schema: 'gatecheck.history/1';
  target: string;
  /** ISO 8601, UTC. */
  started_at: string;
  duration_ms: number;
  seed: number;
  size: Size;
  exit_code: number;
  summary: Summary;
  /** The verdict on each rule that was judged or tried. */
  rules: Record<string, Verdict>;
  /** The failures, as `CHAT-012 range-outside`. */
  failures: string[];
}

export function runSummaryOf(report: Report): RunSummary {
  const failed = report.checks.filter(({ verdict }) => verdict === 'fail').flatMap(failuresOf);
  return {
    schema: 'gatecheck.history/1',
    target: report.target.name,
    started_at: report.started_at,
    duration_ms: report.duration_ms,
    seed: report.seed,
    size: report.size,
    exit_code: report.exit_code,
    summary: report.summary,
    rules: Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict])),
    failures: [...new Set(failed.map(({ requirement, aspect }) => `${requirement} ${aspect}`))].toSorted(),
  };
}

const schema = shapeOf<RunSummary>({
  schema: { const: 'gatecheck.history/1' },
  target: name,
  started_at: instant,
  duration_ms: milliseconds,
  seed: { type: 'integer' },
  size: { enum: sizes },
  exit_code: count,
  summary: summaryShape,
  rules: { type: 'object', additionalProperties: { enum: verdicts } },
  failures: texts,
});

let validate: ValidateFunction<RunSummary> | null = null;

/** The value as a run summary; null if it is invalid. */
export function asRunSummary(found: unknown): RunSummary | null {
  validate ??= new Ajv2020().compile<RunSummary>(schema);
  return validate(found) ? found : null;
}
