// Parts of chat requests for tests.

export const user = { role: 'user', content: 'hi' };

/** A tool definition; `more` is added to its function. */
export function tool(name: string, more: object = {}): object {
  return { type: 'function', function: { name, ...more } };
}

/** A user turn that contains only a medium. */
export function image(url: unknown): object {
  return { role: 'user', content: [{ type: 'image_url', image_url: { url } }] };
}

/** A call as it appears in the history. */
export function call(id: string, name = 'f', text = '{}'): object {
  return { id, type: 'function', function: { name, arguments: text } };
}

/** A model turn that contains only calls. */
export function asks(...ids: string[]): object {
  return { role: 'assistant', content: null, tool_calls: ids.map((id) => call(id)) };
}

/** The result of a call. */
export function result(id: unknown, content: unknown = 'r'): object {
  return { role: 'tool', tool_call_id: id, content };
}
