// The tool calls in an answer of any chat dialect, put together again where a stream sent them in pieces.

/** @typedef {{ id: string | null, name: string, arguments: string }} ToolCall */

/**
 * @param {string} text the body of an answer
 * @param {readonly { data: string }[]} frames its events, where it is a stream
 * @returns {ToolCall[]}
 */
export function toolCallsIn(text, frames) {
  /** @type {Map<string, ToolCall>} */
  const calls = new Map();
  const parts = frames.length > 0 ? frames.map(({ data }) => data) : [text];
  for (const part of parts) {
    const value = parsed(part);
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && typeof one === 'object') take(one, calls);
  }
  return [...calls.values()];
}

/** @param {any} answer @param {Map<string, ToolCall>} calls */
function take(answer, calls) {
  for (const choice of list(answer.choices))
    for (const call of list((choice.delta ?? choice.message)?.tool_calls))
      add(calls, `${choice.index ?? 0}/${call.index ?? call.id ?? calls.size}`, {
        id: call.id,
        name: call.function?.name,
        more: call.function?.arguments,
      });
  for (const [at, block] of list(answer.content).entries())
    if (block?.type === 'tool_use')
      add(calls, `block-${at}`, { id: block.id, name: block.name, more: JSON.stringify(block.input) });
  const { content_block: block, delta, index } = answer;
  if (block?.type === 'tool_use') add(calls, `block-${index}`, { id: block.id, name: block.name, more: '' });
  if (delta?.type === 'input_json_delta') add(calls, `block-${index}`, { more: delta.partial_json });
  for (const candidate of list(answer.candidates))
    for (const { functionCall: called } of list(candidate.content?.parts))
      if (called !== undefined)
        add(calls, `call-${calls.size}`, {
          id: called.id,
          name: called.name,
          more: JSON.stringify(called.args ?? {}),
        });
}

/** @param {Map<string, ToolCall>} calls @param {string} place @param {{ id?: any, name?: any, more?: any }} piece */
function add(calls, place, { id, name, more }) {
  const known = calls.get(place) ?? { id: null, name: '', arguments: '' };
  calls.set(place, {
    id: known.id ?? (typeof id === 'string' ? id : null),
    name: known.name || (typeof name === 'string' ? name : ''),
    arguments: known.arguments + (typeof more === 'string' ? more : ''),
  });
}

/** @param {any} value @returns {any[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
