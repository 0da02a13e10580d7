import { type NativeView, textOf } from './view.ts';

/**
 * A dialect may lack a JSON mode, or lack it beside tools. The gateway may then force JSON by a required tool, by
 * instructions or by the beginning of the answer. Such additions do not count as changes of the request. True when
 * the caller wants JSON and no mode of the dialect was used.
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
