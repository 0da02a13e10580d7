/** What an answer must have for some faults. Completes the phrase "it needs …". */
export const actsOn = {
  events: 'server-sent events: ask for them (in generate-content with alt=sse)',
  usage: 'token counts: ask for them (in chat-completions with stream_options.include_usage)',
  calls:
    'tool calls: offer a tool, or script tool_calls (in-escape: with an escape; same-index: two of them)',
  wideText: 'a text with a character of several bytes: script one',
  text: 'a text: script one',
} as const;
