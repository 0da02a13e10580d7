import type { Fault } from '../../fault-contract/fault.ts';
import { actsOn } from '../native/acts-on.ts';
import { editAnswer, mapEvents } from '../native/edit-answer.ts';
import { isJsonObject, type JsonObject, readPath, withMember } from '../native/json-path.ts';

/** Invalid arguments of a call: the second member has no value. */
export const badArguments = '{"place":"the harbour","days":';

/**
 * The arguments of every call are text that is not JSON. A plain answer of blocks has the text in place of the
 * object.
 */
export const toolJsonBad: Fault = editAnswer(
  'M14',
  (frames, { dialect }) =>
    mapEvents(frames, (data, { label }) => {
      if (dialect === 'messages') return label === 'body' ? withBadInputs(data) : withBadFragment(data);
      return label === 'body' ? withBadCalls(data) : withBadChunk(data);
    }),
  { actsOn: actsOn.calls, states: 'tool_calls' },
);

function withBadCalls(data: JsonObject): JsonObject {
  const path = ['choices', 0, 'message', 'tool_calls'];
  const calls = readPath(data, path);
  if (!Array.isArray(calls)) return data;
  return withMember(
    data,
    path,
    calls.map((call: JsonObject) => withMember(call, ['function', 'arguments'], badArguments)),
  );
}

/** The opening of a call carries all of the text; the fragments that follow are empty. */
function withBadChunk(data: JsonObject): JsonObject {
  const path = ['choices', 0, 'delta', 'tool_calls', 0];
  const fragment = readPath(data, path);
  if (!isJsonObject(fragment)) return data;
  const text = fragment.id === undefined ? '' : badArguments;
  return withMember(data, [...path, 'function', 'arguments'], text);
}

function withBadInputs(data: JsonObject): JsonObject {
  const blocks = readPath(data, ['content']);
  if (!Array.isArray(blocks)) return data;
  const content = blocks.map((block: JsonObject) =>
    block.type === 'tool_use' ? { ...block, input: badArguments } : block,
  );
  return { ...data, content };
}

/** The opening fragment of a call is normally empty. Here it carries all of the text, and the others are empty. */
function withBadFragment(data: JsonObject): JsonObject {
  const path = ['delta', 'partial_json'];
  const piece = readPath(data, path);
  if (typeof piece !== 'string') return data;
  return withMember(data, path, piece === '' ? badArguments : '');
}
