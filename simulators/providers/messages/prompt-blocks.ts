import { countTokens, mediaTokens, turnTokens } from '../../tokens.ts';
import { blocksOf } from './rules.ts';
import type { Block, CacheControl, CountRequest, InnerBlock, NativeTool } from './schema.ts';

export type CacheTtl = '5m' | '1h';

/** A piece of the prompt in the order in which the model reads it: tools, system, messages. */
export interface PromptBlock {
  readonly part: 'tools' | 'system' | 'messages';
  /** The block's content and position, without its cache hint. Equal texts mean equal blocks. */
  readonly text: string;
  readonly tokens: number;
  /** How long to cache the prompt up to and including this block; null without a cache hint. */
  readonly ttl: CacheTtl | null;
}

export function promptBlocks(request: CountRequest): PromptBlock[] {
  const blocks = markedBlocks(request);
  const last = blocks.at(-1);
  const ttl = ttlOf(request.cache_control);
  // A cache hint of the request itself counts as one at the end of the prompt.
  return last === undefined || ttl === null ? blocks : blocks.with(-1, { ...last, ttl: last.ttl ?? ttl });
}

function markedBlocks({ tools = [], system = [], messages }: CountRequest): PromptBlock[] {
  const instructions: readonly Block[] =
    typeof system === 'string' ? (system === '' ? [] : [{ type: 'text', text: system }]) : system;
  return [
    ...tools.map(toolBlock),
    ...instructions.map((block) => contentBlock('system', 'system', block, 0)),
    ...messages.flatMap((turn, at) =>
      blocksOf(turn).map((block, index) =>
        contentBlock('messages', `${at} ${turn.role}`, block, index === 0 ? turnTokens : 0),
      ),
    ),
  ];
}

/**
 * Prompt tokens by the token rule: the JSON of each tool, the text (or calls, or results) of each block, and 4 for
 * each message. Any additional word or block increases the count; a cache hint does not.
 */
export function countPrompt(blocks: readonly PromptBlock[]): number {
  return blocks.reduce((sum, { tokens }) => sum + tokens, 0);
}

function toolBlock({ cache_control: mark, ...tool }: NativeTool): PromptBlock {
  const text = JSON.stringify(tool);
  return { part: 'tools', text: `tool ${text}`, tokens: countTokens(text), ttl: ttlOf(mark) };
}

function contentBlock(
  part: PromptBlock['part'],
  place: string,
  { cache_control: mark, ...block }: Block,
  extraTokens: number,
): PromptBlock {
  const inner = 'content' in block && Array.isArray(block.content) ? block.content : [];
  const ttls = [mark, ...inner.map((one) => one.cache_control)].map(ttlOf).filter((ttl) => ttl !== null);
  const bare = inner.length === 0 ? block : { ...block, content: inner.map(withoutMark) };
  return {
    part,
    text: `${place} ${JSON.stringify(bare)}`,
    tokens: extraTokens + countBlock(block),
    ttl: ttls[0] ?? null,
  };
}

function countBlock(block: Block): number {
  switch (block.type) {
    case 'text':
      return countTokens(block.text);
    case 'thinking':
      return countTokens(block.thinking);
    case 'tool_use':
      return countTokens(block.name) + countTokens(JSON.stringify(block.input));
    case 'tool_result':
      return typeof block.content === 'string'
        ? countTokens(block.content)
        : (block.content ?? []).reduce((sum, inner) => sum + countInner(inner), 0);
    case 'search_result':
      return block.content.reduce((sum, inner) => sum + countBlock(inner), 0);
    case 'document':
      return block.source.type === 'text' ? countTokens(block.source.data) : mediaTokens;
    default:
      return mediaTokens;
  }
}

function countInner(inner: InnerBlock): number {
  switch (inner.type) {
    case 'tool_reference':
    case 'browser_state':
      return countTokens(JSON.stringify(inner));
    default:
      return countBlock(inner);
  }
}

function withoutMark({ cache_control: _mark, ...rest }: { cache_control?: unknown }): object {
  return rest;
}

function ttlOf(mark: CacheControl | null | undefined): CacheTtl | null {
  return mark == null ? null : (mark.ttl ?? '5m');
}
