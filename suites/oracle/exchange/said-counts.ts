import type { Dialect } from '../../profile/dialects.ts';
import { type Json, objectOf } from '../native/json.ts';
import type { UsageCounts } from '../price.ts';

/**
 * The counts of an answer in one form for all dialects (readings B-37, B-42): the prompt is all input, the completion all
 * output. Null where the answer has none, or they contradict each other, so that the count is unknown.
 */
export function saidCounts(dialect: Dialect, reports: readonly Json[]): UsageCounts | null {
  const counts = anyCounts(dialect, reports);
  return counts === null || !isConsistent(counts) ? null : counts;
}

/**
 * The least and the most that may have been counted: where more of a prompt was cached than it has, either may be right.
 * Null if unknown.
 */
export function countsWithin(
  dialect: Dialect,
  reports: readonly Json[],
): { readonly least: UsageCounts; readonly most: UsageCounts } | null {
  const counts = anyCounts(dialect, reports);
  if (counts === null || isConsistent(counts)) return counts && { least: counts, most: counts };
  const { prompt_tokens: prompt, cached_tokens: cached, ...rest } = counts;
  if (rest.cache_write_5m_tokens + rest.cache_write_1h_tokens > 0) return null;
  const larger = Math.max(prompt, cached);
  return {
    least: { ...rest, prompt_tokens: Math.min(prompt, cached), cached_tokens: Math.min(prompt, cached) },
    most: { ...rest, prompt_tokens: larger, cached_tokens: 0 },
  };
}

/** Whether an answer states a count of tokens above zero anywhere: providers put counts in places of their own (fault P12). */
export function hasAnyCount(answer: Buffer): boolean {
  return /(?<!\\)"\w*tokens?\w*"\s*:\s*"?[1-9]/i.test(answer.toString('utf8'));
}

function anyCounts(dialect: Dialect, reports: readonly Json[]): UsageCounts | null {
  const usage = merged(reports);
  if (Object.keys(usage).length === 0) return null;
  const counts = readers[dialect](usage);
  return counts !== null && mayBeParts(dialect, reports, counts) ? null : counts;
}

/** Reports beside more pieces of text than any of them counts tokens: each may be of its own piece, or of all so far. */
function mayBeParts(
  dialect: Dialect,
  reports: readonly Json[],
  { completion_tokens: most }: UsageCounts,
): boolean {
  return dialect === 'generate-content' && most > 0 && reports.length > 2 && most < reports.length - 1;
}

/**
 * Merges reports: a later one replaces earlier members, but 0 does not replace a known count. The parts of an input form one
 * count, so the report with the largest input replaces all of its parts (reading B-37).
 */
function merged(reports: readonly Json[]): Json {
  let usage: Record<string, unknown> = {};
  for (const report of reports) {
    const told = Object.entries(report).filter(([, value]) => value !== null);
    const restated = { ...usage, ...Object.fromEntries(told) };
    const isMore = inputOf(restated) > inputOf(usage);
    const kept = told.filter(([name, value]) => value !== 0 || !isCounted(usage[name]) || isMore);
    usage = { ...usage, ...Object.fromEntries(kept) };
  }
  return usage;
}

function isCounted(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}

/** All input of an answer whose dialect reports it in parts. */
function inputOf(usage: Json): number {
  const parts = [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens];
  return parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : 0), 0);
}

type Reader = (usage: Json) => UsageCounts | null;

const noWrites = { cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };

const readers: Readonly<Record<Dialect, Reader>> = {
  'chat-completions': (usage) => {
    const { prompt_tokens: prompt, completion_tokens: said, total_tokens: total } = usage;
    const thought = objectOf(usage.completion_tokens_details).reasoning_tokens;
    const cached = objectOf(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens;
    const completion = outputOf({ prompt, said, thought, total, isBeside: false });
    return completion === null || prompt === undefined
      ? null
      : counted({ prompt_tokens: prompt, completion_tokens: completion, cached_tokens: cached, ...noWrites });
  },
  messages: (usage) => {
    const { input_tokens: input, output_tokens: output, cache_read_input_tokens: read = 0 } = usage;
    const slots = objectOf(usage.cache_creation);
    const hour = slots.ephemeral_1h_input_tokens ?? 0;
    const minutes = slots.ephemeral_5m_input_tokens;
    const written = usage.cache_creation_input_tokens ?? Number(minutes ?? 0) + Number(hour);
    if (input === undefined || output === undefined) return null;
    return counted({
      prompt_tokens: Number(input) + Number(read) + Number(written),
      completion_tokens: output,
      cached_tokens: read,
      cache_write_5m_tokens: Number(written) - Number(hour),
      cache_write_1h_tokens: hour,
    });
  },
  'generate-content': (usage) => {
    const { promptTokenCount: prompt, candidatesTokenCount: said = 0, thoughtsTokenCount: thought } = usage;
    if (usage.toolUsePromptTokenCount !== undefined || prompt === undefined) return null;
    const completion = outputOf({ prompt, said, thought, total: usage.totalTokenCount, isBeside: true });
    const cached = usage.cachedContentTokenCount;
    return completion === null
      ? null
      : counted({ prompt_tokens: prompt, completion_tokens: completion, cached_tokens: cached, ...noWrites });
  },
};

interface Output {
  readonly prompt: unknown;
  readonly said: unknown;
  readonly thought: unknown;
  readonly total: unknown;
  /** Whether the dialect counts thoughts in addition to the output, where no total decides. */
  readonly isBeside: boolean;
}

/** The total output. A reported total decides whether thoughts are part of the output count or come on top. */
function outputOf({ prompt, said, thought = 0, total, isBeside }: Output): number | null {
  const [inside, beside] = [Number(said), Number(said) + Number(thought)];
  if (total === undefined || total === null) return isBeside ? beside : inside;
  if (total === Number(prompt) + inside) return inside;
  return total === Number(prompt) + beside ? beside : null;
}

function counted(counts: Readonly<Record<keyof UsageCounts, unknown>>): UsageCounts | null {
  const values = Object.entries(counts).map(([name, value]) => [name, value ?? 0] as const);
  const areCounts = values.every(([, value]) => Number.isSafeInteger(value) && isCredible(Number(value)));
  return areCounts ? (Object.fromEntries(values) as unknown as UsageCounts) : null;
}

/** More tokens than any model's window. */
const mostTokens = 10_000_000;

function isCredible(count: number): boolean {
  return count >= 0 && count <= mostTokens;
}

function isConsistent(counts: UsageCounts): boolean {
  const { prompt_tokens: prompt, cached_tokens, cache_write_5m_tokens, cache_write_1h_tokens } = counts;
  return cached_tokens + cache_write_5m_tokens + cache_write_1h_tokens <= prompt;
}
