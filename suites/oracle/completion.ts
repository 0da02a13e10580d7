import { must } from '../engine/violation.ts';
import { type Exchange, excerpt, jsonOf, mediaType, outcomeOf } from '../wire/exchange.ts';
import { shapeFault } from '../wire/shapes.ts';

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

/** A plain chat answer whose shape has been judged. */
export interface Completion {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly content: string | null;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: string;
  readonly usage: Usage;
}

export interface ExpectedCompletion {
  /** Rule that acceptance itself proves. */
  readonly requirement: string;
  readonly aspect: string;
  /** The model asked for; without a declared fallback it is the one that must be named. */
  readonly model: string;
  readonly maxTokens?: number | undefined;
  readonly twin?: Exchange | undefined;
}

interface WireChoice {
  index: number;
  finish_reason: string;
  message: { role: string; content: string | null; tool_calls?: ToolCall[] | null };
}

/** Seconds by which a server's clock may differ from ours before `created` counts as wrong. */
const clockSkewS = 300;

/**
 * Judges a plain answer by every rule of "Chat response (non-streaming)" that one answer can show,
 * each under its own requirement, and returns what was read.
 */
export function judgeCompletion(exchange: Exchange, expected: ExpectedCompletion): Completion {
  const own = { requirement: expected.requirement, exchange, twin: expected.twin };
  must(exchange.response !== null && exchange.response.status === 200, {
    ...own,
    aspect: expected.aspect,
    expected: 'HTTP 200 with a completion',
    actual: `${outcomeOf(exchange)}: ${excerpt(exchange, 200)}`,
  });
  must(exchange.response.complete, { ...own, aspect: 'answers', expected: 'a whole body', actual: exchange.error ?? 'a body cut short' });
  must(mediaType(exchange) === 'application/json', {
    requirement: 'RESP-023',
    aspect: 'content-type',
    expected: 'content type application/json',
    actual: mediaType(exchange) || '(none)',
    exchange,
  });
  const body = jsonOf(exchange);
  const fault = shapeFault('chat-completion', body);
  must(fault === null, {
    requirement: fault === null ? 'RESP-008' : requirementOfPath(fault.path, fault.reason),
    aspect: 'shape',
    expected: 'the members of a chat completion with their types',
    actual: `${fault?.path || 'the body'} ${fault?.reason}: ${excerpt(exchange, 200)}`,
    exchange,
  });
  const answer = body as { id: string; object: string; created: number; model: string; choices: WireChoice[]; usage: Usage };
  judgeCreated(answer.created, exchange);
  judgeModel(answer.model, expected.model, exchange);
  const choice = judgeChoices(answer.choices, exchange);
  judgeUsage(answer.usage, { maxTokens: expected.maxTokens, produced: choice.message.content ?? '' }, exchange);
  return {
    ...answer,
    content: choice.message.content ?? null,
    toolCalls: choice.message.tool_calls ?? [],
    finishReason: choice.finish_reason,
  };
}

export function judgeCreated(created: number, exchange: Exchange): void {
  must(created >= exchange.sentAt / 1000 - clockSkewS && created <= exchange.endedAt / 1000 + clockSkewS, {
    requirement: 'RESP-003',
    aspect: 'created-now',
    expected: `a Unix time in seconds within ${clockSkewS} s of ${Math.round(exchange.sentAt / 1000)}`,
    actual: String(created),
    exchange,
  });
}

export function judgeModel(model: string, asked: string, exchange: Exchange): void {
  must(model === asked, { requirement: 'RESP-004', aspect: 'served-model', expected: `model ${asked}`, actual: `model ${model}`, exchange });
}

/** Token counts as one answer can show them: whole, not negative, adding up, within max_tokens, cached within the prompt. */
export function judgeUsage(usage: Usage, asked: { maxTokens: number | undefined; produced: string }, exchange: Exchange): void {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const wrong = (requirement: string, aspect: string, expected: string): void =>
    must(false, { requirement, aspect, expected, actual: JSON.stringify(usage), exchange });
  if (usage.prompt_tokens < 1) wrong('RESP-015', 'prompt-counted', 'prompt_tokens of at least 1');
  if (usage.total_tokens !== usage.prompt_tokens + usage.completion_tokens) {
    wrong('RESP-020', 'total-is-sum', 'total_tokens = prompt_tokens + completion_tokens');
  }
  if (cached > usage.prompt_tokens) wrong('RESP-021', 'cached-within-prompt', 'cached_tokens of at most prompt_tokens');
  if (asked.produced !== '' && usage.completion_tokens < 1) {
    wrong('RESP-019', 'completion-counted', 'completion_tokens of at least 1 for an answer with text');
  }
  if (asked.maxTokens !== undefined && usage.completion_tokens > asked.maxTokens) {
    wrong('CHAT-021', 'cap-on-completion', `completion_tokens of at most max_tokens = ${asked.maxTokens}`);
  }
}

function judgeChoices(choices: readonly WireChoice[], exchange: Exchange): WireChoice {
  const indexes = choices.map((choice) => choice.index).sort((a, b) => a - b);
  must(indexes.every((index, place) => index === place), {
    requirement: 'RESP-007',
    aspect: 'index-from-zero',
    expected: 'indexes 0, 1, … without a gap',
    actual: JSON.stringify(indexes),
    exchange,
  });
  const [choice] = choices;
  must(choice !== undefined && choices.length === 1, {
    requirement: 'RESP-006',
    aspect: 'one-choice',
    expected: 'one choice for a plain request',
    actual: `${choices.length} choices`,
    exchange,
  });
  const calls = choice.message.tool_calls ?? [];
  must(typeof choice.message.content === 'string' || calls.length > 0, {
    requirement: 'RESP-008',
    aspect: 'content-or-calls',
    expected: 'content, tool_calls or both',
    actual: JSON.stringify(choice.message),
    exchange,
  });
  judgeToolCalls(calls, choice.finish_reason, exchange);
  return choice;
}

/** The calls of one answer: ids present and distinct, arguments a JSON-encoded object ("Tool definition"). */
export function judgeToolCalls(calls: readonly ToolCall[], finishReason: string, exchange: Exchange): void {
  must(new Set(calls.map((call) => call.id)).size === calls.length && calls.every((call) => call.id !== ''), {
    requirement: 'TOOL-008',
    aspect: 'call-ids',
    expected: 'a distinct, non-empty id on each tool call',
    actual: JSON.stringify(calls.map((call) => call.id)),
    exchange,
  });
  must((calls.length > 0) === (finishReason === 'tool_calls') || (calls.length > 0 && finishReason === 'stop'), {
    requirement: 'TOOL-017',
    aspect: 'finish-of-calls',
    expected: 'finish_reason tool_calls exactly when the turn ends in tool calls',
    actual: `${calls.length} calls with finish_reason ${finishReason}`,
    exchange,
  });
}

function requirementOfPath(path: string, reason: string): string {
  if (path === '') return requirementOfMissing(reason);
  const rows: [RegExp, string][] = [
    [/^\/id/, 'RESP-001'],
    [/^\/object/, 'RESP-002'],
    [/^\/created/, 'RESP-003'],
    [/^\/model/, 'RESP-004'],
    [/^\/choices\/\d+\/index/, 'RESP-007'],
    [/^\/choices\/\d+\/finish_reason/, 'RESP-009'],
    [/^\/choices\/\d+\/message\/tool_calls\/\d+\/function\/arguments/, 'TOOL-010'],
    [/^\/choices\/\d+\/message\/tool_calls/, 'TOOL-009'],
    [/^\/choices\/\d+/, 'RESP-008'],
    [/^\/choices/, 'RESP-006'],
    [/^\/usage\/prompt_tokens_details/, 'RESP-021'],
    [/^\/usage\/prompt/, 'RESP-015'],
    [/^\/usage\/completion/, 'RESP-019'],
    [/^\/usage\/total/, 'RESP-020'],
    [/^\/usage/, 'RESP-014'],
  ];
  return rows.find(([pattern]) => pattern.test(path))?.[1] ?? 'RESP-008';
}

function requirementOfMissing(reason: string): string {
  const member = /'(\w+)'/.exec(reason)?.[1] ?? '';
  const rows: Record<string, string> = {
    id: 'RESP-001',
    object: 'RESP-002',
    created: 'RESP-003',
    model: 'RESP-004',
    choices: 'RESP-006',
    usage: 'RESP-014',
  };
  return rows[member] ?? 'RESP-008';
}
