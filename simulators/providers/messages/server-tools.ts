/** Blocks that only an assistant sends: a call of a provider-run tool, its result, or a note about omitted content. */
export const servedByAssistant = [
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'advisor_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'compaction',
  'fallback',
] as const;

/** Blocks that a caller adds to a turn of its own. */
export const servedByUser = [
  'container_upload',
  'tool_addition',
  'tool_removal',
  'mcp_tool_listing',
] as const;

const kinds = [
  'advisor',
  'bash',
  'browser_toolset',
  'code_execution',
  'computer',
  'computer_toolset',
  'memory',
  'text_editor',
  'tool_search_tool_(?:bm25|regex)',
  'web_fetch',
  'web_search',
];

const undated = 'mcp_toolset|tool_search_tool_(?:bm25|regex)';

/** The type of a provider-run tool: its kind and the date of its version. */
export const serverToolType: RegExp = new RegExp(`^(?:(?:${kinds.join('|')})_20\\d{6}|${undated})$`);
