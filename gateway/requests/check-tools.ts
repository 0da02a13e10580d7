import { invalidParam } from '../errors/gateway-error.ts';
import type { ChatFields } from './chat-schema.ts';

/** Rules between tools and tool_choice: names are unique (B-26), a forced choice must be possible (B-25). */
export function checkTools({ tools, tool_choice: choice }: ChatFields): void {
  const names = new Set<string>();
  for (const [i, tool] of (tools ?? []).entries()) {
    const { name } = tool.function;
    if (names.has(name)) throw invalidParam(`tools[${i}].function.name`, 'Tool names must be different.');
    names.add(name);
  }
  if (choice === 'required' && names.size === 0) {
    throw invalidParam('tool_choice', 'tool_choice required needs at least one tool.');
  }
  if (typeof choice === 'object' && choice !== null && !names.has(choice.function.name)) {
    throw invalidParam('tool_choice', 'tool_choice must name one of the tools.');
  }
}
