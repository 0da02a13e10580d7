/** Members that the provider's interface has and that change nothing here. */
const ignored = new Set([
  'audio',
  'function_call',
  'functions',
  'logit_bias',
  'logprobs',
  'metadata',
  'modalities',
  'moderation',
  'n',
  'parallel_tool_calls',
  'prediction',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'safety_identifier',
  'service_tier',
  'store',
  'top_logprobs',
  'verbosity',
  'web_search_options',
]);

/** Whether this upstream knows the member and ignores it. */
export function isIgnored(member: string): boolean {
  return ignored.has(member);
}
