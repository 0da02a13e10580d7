import { type NativeView, textOf } from './view.ts';

/**
 * A dialect may have no JSON mode, or none with tools. The gateway may then force JSON by a required tool, by instructions,
 * or by prefilling the answer. Such additions are no changes of the request. True when the caller requests JSON and the
 * gateway used no native mode.
 */
export function forcesJson(sent: NativeView, seen: NativeView): boolean {
  return (
    seen.dialect !== 'chat-completions' &&
    (sent.fields.response_format?.type.startsWith('json') ?? false) &&
    seen.fields.response_format === null
  );
}

/** Whether anything was added that could force JSON, or a tool call is forced, so that there will be no text. */
export function hasForce(sent: NativeView, seen: NativeView): boolean {
  const choice = sent.fields.tool_choice ?? 'auto';
  return (
    (choice !== 'auto' && choice !== 'none') ||
    seen.tools.length > sent.tools.length ||
    textOf({ parts: seen.system }).length > textOf({ parts: sent.system }).length ||
    seen.turns.map(textOf).join('').length > sent.turns.map(textOf).join('').length
  );
}
