import { isObject, type JsonObject } from '../../http/parse-json.ts';

/** Counts by kind; a count that the report does not state is absent. */
export type Counts = Partial<Record<CountName, number>>;
export type CountName = keyof typeof names;

/** The usage information of one native object. */
export interface UsageReport {
  readonly counts: Counts;
  /** A value in the place of a count was not a count. */
  readonly isUnreadable: boolean;
  /**
   * Whether cache and reasoning tokens are counted in addition to their side (true) or as part of it (false). Absent if the
   * names do not show it.
   */
  readonly isBeside: { readonly cache?: boolean; readonly reasoning?: boolean };
}

/** Tokens written to a cache. */
export interface Writes {
  readonly written: number;
  /** The part with a lifetime of an hour. */
  readonly longLived: number;
  /** The parts by lifetime do not add up to the total. */
  readonly isDoubtful: boolean;
}

/** Reasoning under these names is counted in addition to the answer. */
const thoughts = ['thoughtsTokenCount', 'thoughts_token_count'] as const;

/**
 * The names under which providers report a count. Their prefixes differ from dialect to dialect, and providers of
 * one dialect use names of another.
 */
const names = {
  prompt: [
    ...['prompt_tokens', 'promptTokens', 'promptTokenCount', 'prompt_token_count'],
    ...['input_tokens', 'inputTokens', 'inputTokenCount', 'prompt_cache_miss_tokens', 'prompt_n'],
  ],
  completion: [
    ...['completion_tokens', 'completionTokens', 'candidatesTokenCount', 'candidates_token_count'],
    ...['output_tokens', 'outputTokens', 'outputTokenCount', 'predicted_n'],
  ],
  total: ['total_tokens', 'totalTokenCount', 'totalTokens', 'total_token_count'],
  cached: [
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'cached_tokens',
    'prompt_cache_hit_tokens',
    'cachedContentTokenCount',
    'cached_content_token_count',
    'cache_read_input_tokens',
    'cacheReadInputTokens',
    'cacheReadInputTokenCount',
    'cache_n',
  ],
  written: [
    'prompt_tokens_details.cache_write_tokens',
    'prompt_tokens_details.cache_creation_tokens',
    'prompt_tokens_details.cache_creation_input_tokens',
    'prompt_tokens_details.cached_creation_tokens',
    'input_tokens_details.cache_write_tokens',
    'input_tokens_details.cached_creation_tokens',
    'cache_creation_input_tokens',
    'cacheWriteInputTokens',
    'cacheWriteInputTokenCount',
  ],
  written5m: ['cache_creation.ephemeral_5m_input_tokens', 'claude_cache_creation_5_m_tokens'],
  written1h: ['cache_creation.ephemeral_1h_input_tokens', 'claude_cache_creation_1_h_tokens'],
  reasoning: [
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'output_tokens_details.thinking_tokens',
    'reasoning_tokens',
    ...thoughts,
  ],
  toolUse: ['toolUsePromptTokenCount', 'tool_use_prompt_token_count'],
} as const;

interface Place {
  readonly name: CountName;
  /** Null if the member is the count itself. */
  readonly inner: string | null;
}

/** Where counts appear, by the member of a usage object that contains them. */
const places = new Map<string, readonly Place[]>();
for (const [name, all] of Object.entries(names))
  for (const path of all) {
    const [outer = '', inner = null] = path.split('.');
    places.set(outer, [...(places.get(outer) ?? []), { name: name as CountName, inner }]);
  }

/** With any of these members, the input count includes the cache. Without them it excludes the cache. */
const wholePrompts = [
  ...['prompt_tokens', 'promptTokens', 'promptTokenCount', 'prompt_token_count'],
  ...['prompt_tokens_details', 'input_tokens_details'],
];
const freshPrompts = [
  'input_tokens',
  'inputTokens',
  'inputTokenCount',
  'prompt_cache_miss_tokens',
  'prompt_n',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
];

/** More tokens than any context window or answer can hold: larger counts are not trusted (fault M10). */
const maxCount = 1_000_000_000;

/**
 * Parses a native usage object. If several names give one count, the largest is used. A call that its upstream answered in
 * several steps states those as `iterations`; its own counts may be those of the last one only.
 */
export function readReport(native: JsonObject): UsageReport {
  const report = readCounts(native);
  const { iterations } = native;
  if (!Array.isArray(iterations)) return report;
  const steps = iterations.filter(isObject).map(readCounts);
  const counts = { ...report.counts };
  for (const name of Object.keys(names) as CountName[]) {
    const sum = steps.reduce((total, step) => total + (step.counts[name] ?? 0), 0);
    if (sum > (counts[name] ?? 0)) counts[name] = Math.min(sum, maxCount);
  }
  return { ...report, counts };
}

function readCounts(native: JsonObject): UsageReport {
  const counts: Counts = {};
  let isUnreadable = false;
  for (const outer of Object.keys(native)) {
    for (const { name, inner } of places.get(outer) ?? []) {
      const value = inner === null ? native[outer] : memberOf(native[outer], inner);
      if (value === undefined || value === null) continue;
      const count = countIn(value);
      if (count === null) isUnreadable = true;
      else counts[name] = Math.max(counts[name] ?? 0, count);
    }
  }
  const states = (name: string): boolean => native[name] !== undefined && native[name] !== null;
  const isWhole = wholePrompts.some(states);
  return {
    counts,
    isUnreadable,
    isBeside: {
      ...((isWhole || freshPrompts.some(states)) && { cache: !isWhole }),
      ...(counts.reasoning !== undefined && { reasoning: thoughts.some(states) }),
    },
  };
}

/** Cache writes: the total that the upstream states, or else the sum of its parts by lifetime (fault M6). */
export function writesIn({ written = 0, written5m, written1h }: Counts): Writes {
  const parts = (written5m ?? 0) + (written1h ?? 0);
  const total = written === 0 ? parts : written;
  const isSplit = written5m !== undefined || written1h !== undefined;
  return {
    written: total,
    longLived: Math.min(written1h ?? 0, total),
    isDoubtful: isSplit && parts !== total,
  };
}

/** Every place of a body or event where providers put usage (fault P12); some use several at once. */
export function usagesIn(body: JsonObject): unknown[] {
  const { choices, message, delta, metadata, x_groq: beside } = body;
  const usages: unknown[] = [];
  const add = (usage: unknown): void => {
    if (usage !== undefined && usage !== null) usages.push(usage);
  };
  const look = (holder: unknown): void => {
    if (!isObject(holder)) return;
    add(holder.usage);
    add(holder.usageMetadata);
    add(holder.usage_metadata);
  };
  for (const holder of [body, message, delta, metadata, beside]) look(holder);
  if (Array.isArray(choices)) for (const choice of choices) look(choice);
  add(body['amazon-bedrock-invocationMetrics']);
  // Measured times have the counts of servers that report no others.
  if (usages.length === 0 && isObject(body.timings)) add(body.timings);
  return usages;
}

/** A count, which some upstreams write as a string or with a fraction, of which a part counts whole (fault P8). */
function countIn(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d{1,12}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && count >= 0 && count <= maxCount ? Math.ceil(count) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
