import type { DialectName, Frame } from '../answers/native-answer.ts';
import { isObject, parseJson } from '../json/json-body.ts';

type Json = Readonly<Record<string, unknown>>;
/** The part of an answer in an event. A part of the start or of the next event is sent together with it. */
type Kind = 'role' | 'thought' | 'delta' | 'finish' | 'usage' | 'done' | 'other' | 'of-start' | 'of-next';

/**
 * The events of a provider's stream as frames with our labels, which faults use to find their place. Null if no event marks
 * the end of the answer.
 */
export function labelFrames(dialect: DialectName, body: Buffer): readonly Frame[] | null {
  const frames: Frame[] = [];
  const counted = { thought: 0, delta: 0 };
  let waiting = '';
  // A block keeps its own line ends.
  for (const block of body.toString('utf8').match(/[\s\S]*?(?:\r?\n){2}|[\s\S]+$/g) ?? []) {
    const kind = kindOf(dialect, block);
    const last = frames.at(-1);
    if (kind === 'of-start' && waiting === '' && last?.label === 'role') {
      frames.splice(-1, 1, { ...last, bytes: Buffer.concat([last.bytes, Buffer.from(block)]) });
      continue;
    }
    waiting += block;
    if (kind === 'of-start' || kind === 'of-next') continue;
    const label = kind === 'delta' || kind === 'thought' ? `${kind}-${counted[kind]++}` : kind;
    frames.push({ label, bytes: Buffer.from(waiting), dueMs: 0 });
    waiting = '';
  }
  if (waiting !== '') frames.push({ label: 'other', bytes: Buffer.from(waiting), dueMs: 0 });
  if (!frames.some(({ label }) => label === 'finish')) return null;
  const hasMark = frames.some(({ label }) => label === 'done');
  return hasMark ? frames : [...frames, { label: 'done', bytes: Buffer.alloc(0), dueMs: 0 }];
}

function kindOf(dialect: DialectName, block: string): Kind {
  const data = /^data: ?(.*)$/m.exec(block)?.[1]?.trim();
  if (data === undefined) return 'of-next';
  if (data === '[DONE]') return 'done';
  const value = parseJson(Buffer.from(data));
  if (!isObject(value)) return 'other';
  if (dialect === 'messages') return kindOfEvent(value as Json);
  if (dialect === 'responses') return kindOfResponse(value as Json);
  return dialect === 'generate-content' ? kindOfCandidate(value as Json) : kindOfChunk(value as Json);
}

function kindOfChunk({ choices, usage }: Json): Kind {
  const [choice] = listOf(choices);
  if (choice === undefined) return isObject(usage) ? 'usage' : 'other';
  if (typeof choice.finish_reason === 'string') return 'finish';
  const { content, tool_calls: calls, reasoning_content: thought, reasoning } = objectOf(choice.delta);
  if (isText(content) || listOf(calls).length > 0) return 'delta';
  return isText(thought) || isText(reasoning) ? 'thought' : 'role';
}

function kindOfEvent({ type, delta, content_block: block }: Json): Kind {
  if (type === 'ping' || objectOf(block).type === 'text') return 'of-start';
  if (type === 'message_start') return 'role';
  if (type === 'message_delta') return 'finish';
  if (type === 'message_stop') return 'done';
  if (type !== 'content_block_delta') return 'of-next';
  return /thinking|signature/.test(String(objectOf(delta).type)) ? 'thought' : 'delta';
}

/**
 * For the dialect whose last event repeats the whole answer. The event before it, which closes the last part, is its finish.
 */
function kindOfResponse({ type }: Json): Kind {
  const word = String(type);
  if (/^response\.(?:completed|incomplete|failed)$/.test(word)) return 'done';
  if (/^response\.reasoning.*\.delta$/.test(word)) return 'thought';
  if (word.endsWith('.delta')) return 'delta';
  if (word === 'response.created') return 'role';
  return word.endsWith('output_item.done') ? 'finish' : 'of-next';
}

function kindOfCandidate({ candidates }: Json): Kind {
  const [candidate] = listOf(candidates);
  if (candidate === undefined) return 'other';
  if (typeof candidate.finishReason === 'string') return 'finish';
  return listOf(objectOf(candidate.content).parts).every(({ thought }) => thought === true)
    ? 'thought'
    : 'delta';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function objectOf(value: unknown): Json {
  return isObject(value) ? (value as Json) : {};
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
