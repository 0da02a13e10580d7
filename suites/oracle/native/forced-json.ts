import { type NativeView, textOf } from './view.ts';

/**
 * How a gateway makes a dialect answer in JSON that has no mode for it, or none beside tools, is its own matter: by a
 * tool that must be called, by words in the instructions or in the prompt, by the beginning of the answer. What it adds
 * for that is no change of the request. True when the caller wants JSON and no mode of the dialect was used.
 */
export function forcesJson(sent: NativeView, seen: NativeView): boolean {
  return (
    seen.dialect !== 'chat-completions' &&
    (sent.fields.response_format?.type.startsWith('json') ?? false) &&
    seen.fields.response_format === null
  );
}

/** Whether anything at all was added that could force JSON, or a call is forced, so that there will be no text. */
export function hasForce(sent: NativeView, seen: NativeView): boolean {
  const choice = sent.fields.tool_choice ?? 'auto';
  return (
    (choice !== 'auto' && choice !== 'none') ||
    seen.tools.length > sent.tools.length ||
    textOf({ parts: seen.system }).length > textOf({ parts: sent.system }).length ||
    seen.turns.map(textOf).join('').length > sent.turns.map(textOf).join('').length
  );
}
