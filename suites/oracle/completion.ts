import { flag, must } from '../rules/violation.ts';
import { isJsonObject, parseJson } from '../values/json.ts';
import { type Exchange, excerpt, jsonOf, mediaType } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';
import { judgeIsServed } from './served.ts';

export interface ToolCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null;
}

/** A non-streamed chat answer whose shape has been judged. */
export interface Completion {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly content: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: string;
  readonly usage: Usage;
  /** Unusual but allowed details. */
  readonly notes: readonly string[];
}

export interface ExpectedCompletion {
  /** The rule that acceptance itself proves. */
  readonly requirement: string;
  readonly aspect: string;
  /** The requested model. The answer must name it, unless a fallback is declared. */
  readonly model: string;
  readonly maxTokens?: number | undefined;
  /** The upstream's tool arguments are not JSON: they may pass unchanged. */
  readonly brokenArguments?: boolean | undefined;
  /** Nothing but the model's own choice made it call tools: its turn ends by them. */
  readonly choseToCall?: boolean | undefined;
  /** The upstream reported no counts. The gateway must not invent any, so zeros or its own estimate are fine. */
  readonly uncounted?: boolean | undefined;
  readonly twin?: Exchange | undefined;
  /** How far the deployment's clock has been moved ahead of ours by its clock hook, ms. */
  readonly clockAheadMs?: number;
}

interface WireChoice {
  index: number;
  finish_reason: string;
  message: { role: string; content?: string | null; tool_calls?: ToolCall[] | null };
}

interface WireCompletion {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: WireChoice[];
  usage: Usage;
}

/** How many seconds a server's clock may differ from ours before `created` counts as wrong. */
const clockSkewS = 300;

/**
 * Judges a plain answer by every rule of "Chat response (non-streaming)" that one answer can show, each under its own
 * requirement. Returns what it read.
 */
export function judgeCompletion(exchange: Exchange, expected: ExpectedCompletion): Completion {
  const answer = readCompletion(exchange, expected);
  judgeCreated(answer.created, exchange, expected.clockAheadMs);
  judgeModel(answer.model, expected.model, exchange);
  judgeIndexes(
    answer.choices.map((choice) => choice.index),
    exchange,
  );
  for (const choice of answer.choices)
    judgeToolCalls(choice.message.tool_calls ?? [], choice.finish_reason, exchange, expected);
  const choice = answer.choices.find((candidate) => candidate.index === 0) as WireChoice;
  const content = choice.message.content ?? null;
  const { maxTokens, uncounted } = expected;
  judgeUsage(answer.usage, { maxTokens, uncounted, produced: content ?? '' }, exchange);
  const { id, object, created, model, usage } = answer;
  return {
    id,
    object,
    created,
    model,
    content,
    toolCalls: choice.message.tool_calls ?? [],
    finishReason: choice.finish_reason,
    usage,
    notes: unusualChoices(answer.choices.length),
  };
}

/** Judges status, media type, encoding and shape. After this, the members have their documented types. */
function readCompletion(exchange: Exchange, expected: ExpectedCompletion): WireCompletion {
  const own = { requirement: expected.requirement, exchange, twin: expected.twin };
  judgeIsServed(exchange, {
    own: expected,
    what: 'a completion',
    status: { requirement: 'RESP-023', aspect: 'success-status' },
  });
  must(exchange.response.complete, {
    ...own,
    aspect: expected.aspect,
    expected: 'a whole body',
    actual: exchange.error ?? 'a body cut short',
  });
  flag(mediaType(exchange) === 'application/json', {
    requirement: 'RESP-023',
    aspect: 'content-type',
    expected: 'content type application/json',
    actual: mediaType(exchange) || '(none)',
    exchange,
  });
  const body = jsonOf(exchange);
  must(body !== undefined, {
    requirement: 'RESP-023',
    aspect: 'utf8-json',
    expected: 'a body of JSON in UTF-8',
    actual: excerpt(exchange, 200),
    exchange,
  });
  const fault = shapeFault('chat-completion', body);
  must(fault === null, {
    requirement: requirementOfMember(fault?.path ?? ''),
    aspect: 'shape',
    expected: 'the members of a chat completion with their types',
    actual: `${fault?.path || 'the body'} ${fault?.reason}: ${excerpt(exchange, 200)}`,
    exchange,
  });
  return body as WireCompletion;
}

export function judgeCreated(created: number, exchange: Exchange, clockAheadMs = 0): void {
  const from = (exchange.sentAt + clockAheadMs) / 1000 - clockSkewS;
  const to = (exchange.endedAt + clockAheadMs) / 1000 + clockSkewS;
  flag(created >= from && created <= to, {
    requirement: 'RESP-003',
    aspect: 'created-now',
    expected: `a Unix time in seconds between ${Math.floor(from)} and ${Math.ceil(to)}`,
    actual: String(created),
    exchange,
  });
}

export function judgeModel(model: string, asked: string, exchange: Exchange): void {
  flag(model === asked, {
    requirement: 'RESP-004',
    aspect: 'served-model',
    expected: `model ${asked}`,
    actual: `model ${model}`,
    exchange,
  });
}

/** What affects the counts of one answer. */
export interface UsageContext {
  readonly maxTokens: number | undefined;
  /** The produced text. */
  readonly produced: string;
  readonly uncounted: boolean | undefined;
}

/** Judges token counts: whole, not negative, consistent, within max_tokens, cached within the prompt. */
export function judgeUsage(usage: Usage, asked: UsageContext, exchange: Exchange): void {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const rule = (holds: boolean, requirement: string, aspect: string, expected: string): void =>
    flag(holds, { requirement, aspect, expected, actual: JSON.stringify(usage), exchange });
  rule(
    asked.uncounted === true || usage.prompt_tokens >= 1,
    'RESP-015',
    'prompt-counted',
    'prompt_tokens of at least 1',
  );
  rule(
    usage.total_tokens === usage.prompt_tokens + usage.completion_tokens,
    'RESP-020',
    'total-is-sum',
    'total_tokens = prompt_tokens + completion_tokens',
  );
  rule(
    cached <= usage.prompt_tokens,
    'RESP-021',
    'cached-within-prompt',
    'cached_tokens of at most prompt_tokens',
  );
  rule(
    asked.uncounted === true || asked.produced === '' || usage.completion_tokens >= 1,
    'RESP-019',
    'completion-counted',
    'completion_tokens of at least 1 for an answer with text',
  );
  rule(
    asked.maxTokens === undefined || usage.completion_tokens <= asked.maxTokens,
    'CHAT-021',
    'cap-on-completion',
    `completion_tokens of at most max_tokens = ${asked.maxTokens}`,
  );
}

/** The indexes of the choices of one answer: 0, 1, … each once, in any order. */
export function judgeIndexes(indexes: readonly number[], exchange: Exchange): void {
  const sorted = [...indexes].sort((a, b) => a - b);
  flag(
    sorted.every((index, place) => index === place),
    {
      requirement: 'RESP-007',
      aspect: 'index-from-zero',
      expected: 'indexes 0, 1, … without a gap',
      actual: JSON.stringify(sorted),
      exchange,
    },
  );
}

/** More than one choice for an ordinary request is unusual, not wrong (reading B-40). */
export function unusualChoices(count: number): string[] {
  return count > 1 ? [`choices: ${count} for a request that asks for one`] : [];
}

/** What is known about why an answer calls tools. */
export type CallContext = Pick<ExpectedCompletion, 'brokenArguments' | 'choseToCall'>;

/** Judges tool calls: ids present and distinct, arguments a JSON-encoded object ("Tool definition"). */
export function judgeToolCalls(
  calls: readonly ToolCall[],
  finishReason: string,
  exchange: Exchange,
  { brokenArguments = false, choseToCall = false }: CallContext,
): void {
  flag(new Set(calls.map((call) => call.id)).size === calls.length && calls.every((call) => call.id !== ''), {
    requirement: 'TOOL-008',
    aspect: 'call-ids',
    expected: 'a distinct, non-empty id on each tool call',
    actual: JSON.stringify(calls.map((call) => call.id)),
    exchange,
  });
  // Arguments truncated by max_tokens or a filter need not be JSON. Some models report `stop` after a named
  // tool_choice.
  const cut = finishReason === 'length' || finishReason === 'content_filter';
  const fits = calls.length > 0 ? cut || (finishReason === 'stop' && !choseToCall) : true;
  flag(finishReason === 'tool_calls' ? calls.length > 0 : fits, {
    requirement: 'TOOL-017',
    aspect: 'finish-of-calls',
    expected: 'finish_reason tool_calls exactly when the turn ends in tool calls',
    actual: `${calls.length} calls with finish_reason ${finishReason}`,
    exchange,
  });
  const broken =
    cut || brokenArguments ? undefined : calls.find((call) => !isObjectText(call.function.arguments));
  flag(broken === undefined, {
    requirement: 'TOOL-010',
    aspect: 'arguments-json',
    expected: 'arguments that parse as a JSON object',
    actual: JSON.stringify(broken?.function ?? null).slice(0, 200),
    exchange,
  });
}

/** Some models send an empty text for a function without arguments. */
function isObjectText(text: string): boolean {
  return text === '' || isJsonObject(parseJson(text));
}

/** The rule of "Chat response (non-streaming)" about the member at this path. */
function requirementOfMember(path: string): string {
  const rows: [RegExp, string][] = [
    [/^\/id/, 'RESP-001'],
    [/^\/object/, 'RESP-002'],
    [/^\/created/, 'RESP-003'],
    [/^\/model/, 'RESP-004'],
    [/^\/choices\/\d+\/index/, 'RESP-007'],
    [/^\/choices\/\d+\/finish_reason/, 'RESP-009'],
    [/^\/choices\/\d+\/message\/tool_calls\/\d+\/id/, 'TOOL-008'],
    [/^\/choices\/\d+\/message\/tool_calls\/\d+\/function\/arguments/, 'TOOL-010'],
    [/^\/choices\/\d+\/message\/tool_calls\/\d+/, 'TOOL-009'],
    [/^\/choices\/\d+/, 'RESP-008'],
    [/^\/choices/, 'RESP-006'],
    [/^\/usage\/prompt_tokens_details/, 'RESP-021'],
    [/^\/usage\/prompt/, 'RESP-015'],
    [/^\/usage\/completion/, 'RESP-019'],
    [/^\/usage\/total/, 'RESP-020'],
    [/^\/usage/, 'RESP-014'],
  ];
  return rows.find(([pattern]) => pattern.test(path))?.[1] ?? 'RESP-023';
}
