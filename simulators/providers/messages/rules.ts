import { invalidRequest, type NativeError } from './errors.ts';
import type { Block, CacheControl, CountRequest, MessagesRequest, Turn } from './schema.ts';
import { servedByAssistant } from './server-tools.ts';

/** The first violated rule of a prompt, among the rules that involve several members. */
export function findBrokenRule(request: CountRequest, isStrict = false): NativeError | null {
  return (
    findBrokenTurn(request.messages) ??
    findOpenPrefill(request.messages) ??
    findUnansweredCall(isStrict ? request.messages.map(alone) : combined(request.messages)) ??
    findBadChoice(request) ??
    findBadMark(marksOf(request))
  );
}

/** Checks the members that control the answer. */
export function findContradiction({ temperature, top_p: topP }: MessagesRequest): NativeError | null {
  if (temperature === undefined || topP === undefined) return null;
  return invalidRequest('`temperature` and `top_p` cannot both be given for this model');
}

/** The content as blocks. A string is one text block; an empty string is none. */
export function blocksOf({ content }: Turn): readonly Block[] {
  if (typeof content !== 'string') return content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

const thoughts: readonly Block['type'][] = ['thinking', 'redacted_thinking'];
const blocksOfAssistants: readonly Block['type'][] = ['text', 'tool_use', ...thoughts, ...servedByAssistant];
const onlyOfAssistants: readonly Block['type'][] = ['tool_use', ...thoughts, ...servedByAssistant];

function findBrokenTurn(turns: readonly Turn[]): NativeError | null {
  if (turns[0]?.role !== 'user') return invalidRequest('messages: the first one must be of the role `user`');
  for (const [at, turn] of turns.entries()) {
    const blocks = blocksOf(turn);
    const isPrefill = turn.role === 'assistant' && at === turns.length - 1;
    const configures = turn.role === 'system' && Object.keys(turn.output_config ?? {}).length > 0;
    if (blocks.length === 0 && !isPrefill && !configures) {
      return invalidRequest(`messages.${at}: only a last assistant message may have empty content`);
    }
    if (blocks.some((block) => block.type === 'text' && block.text.trim() === '')) {
      return invalidRequest(`messages.${at}.content: text must be more than white space`);
    }
    const misplaced = blocks.find(({ type }) =>
      turn.role === 'assistant' ? !blocksOfAssistants.includes(type) : onlyOfAssistants.includes(type),
    );
    if (misplaced !== undefined) {
      return invalidRequest(
        `messages.${at}: a \`${misplaced.type}\` block cannot stand in a ${turn.role} message`,
      );
    }
  }
  return null;
}

/** The model continues a last assistant turn, which must not end with white space. */
function findOpenPrefill(turns: readonly Turn[]): NativeError | null {
  const last = turns.at(-1);
  const end = last?.role === 'assistant' ? blocksOf(last).at(-1) : undefined;
  if (end?.type !== 'text' || end.text === end.text.trimEnd()) return null;
  return invalidRequest('messages: the content of a last assistant message must not end with white space');
}

/** A turn as the model reads it. `at` is its first index in the request. */
interface ReadTurn {
  readonly at: number;
  readonly role: Turn['role'];
  readonly blocks: readonly Block[];
}

function alone(turn: Turn, at: number): ReadTurn {
  return { at, role: turn.role, blocks: blocksOf(turn) };
}

/** Consecutive turns of one role are one turn. */
function combined(turns: readonly Turn[]): ReadTurn[] {
  const read: ReadTurn[] = [];
  for (const [at, turn] of turns.entries()) {
    const last = read.at(-1);
    if (last?.role !== turn.role) read.push(alone(turn, at));
    else read[read.length - 1] = { ...last, blocks: [...last.blocks, ...blocksOf(turn)] };
  }
  return read;
}

/** Every call needs its result at the beginning of the very next turn, and every result needs its call. */
function findUnansweredCall(turns: readonly ReadTurn[]): NativeError | null {
  const known = new Set<string>();
  let open = new Set<string>();
  let before = 0;
  for (const { at, blocks } of turns) {
    const results = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    for (const id of results) {
      if (open.delete(id)) continue;
      return invalidRequest(
        `messages.${at}: \`tool_result\` for ${id} has no \`tool_use\` of that id in the message before it`,
      );
    }
    if (open.size > 0) return unanswered(before, open);
    if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result')) {
      return invalidRequest(`messages.${at}: \`tool_result\` blocks come before all other content`);
    }
    const calls = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    for (const id of calls) {
      if (known.has(id))
        return invalidRequest(`messages.${at}: \`tool_use\` ids must be unique, ${id} is not`);
      known.add(id);
    }
    open = new Set(calls);
    before = at;
  }
  return open.size > 0 ? unanswered(before, open) : null;
}

function unanswered(at: number, ids: ReadonlySet<string>): NativeError {
  return invalidRequest(
    `messages.${at}: \`tool_use\` without a \`tool_result\` in the next message: ${[...ids].join(', ')}`,
  );
}

function findBadChoice({ tools = [], tool_choice: choice }: CountRequest): NativeError | null {
  const names = tools.flatMap(({ name }) => name ?? []);
  if (new Set(names).size < names.length) return invalidRequest('tools: the names must be unique');
  if (choice === undefined) return null;
  if (tools.length === 0) return invalidRequest('tool_choice: it goes only with `tools`');
  if (choice.type !== 'tool' || names.includes(choice.name)) return null;
  return invalidRequest(`tool_choice.name: there is no tool "${choice.name}"`);
}

const maxMarks = 4;

function findBadMark(marks: readonly CacheControl[]): NativeError | null {
  if (marks.length > maxMarks) {
    return invalidRequest(`cache_control: at most ${maxMarks} blocks may have it, but ${marks.length} do`);
  }
  const shortLived = marks.findIndex(({ ttl = '5m' }) => ttl === '5m');
  const isOutOfOrder = shortLived !== -1 && marks.slice(shortLived).some(({ ttl }) => ttl === '1h');
  return isOutOfOrder
    ? invalidRequest('cache_control: a `1h` block must not come after a `5m` block (tools, system, messages)')
    : null;
}

/** All cache hints in the order of the prompt. */
function marksOf({ tools = [], system = [], messages, cache_control }: CountRequest): CacheControl[] {
  const blocks = messages.flatMap(blocksOf).flatMap((block) => [...innerBlocks(block), block]);
  return [...tools, ...(typeof system === 'string' ? [] : system), ...blocks, { cache_control }].flatMap(
    ({ cache_control: mark }) => mark ?? [],
  );
}

function innerBlocks(block: Block): readonly { cache_control?: CacheControl | null | undefined }[] {
  return block.type === 'tool_result' && Array.isArray(block.content) ? block.content : [];
}
