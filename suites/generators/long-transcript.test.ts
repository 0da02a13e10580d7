import fc from 'fast-check';
import { expect, it } from 'vitest';
import { extremeTranscripts, longTranscript, maxTurns, withPrompt } from './long-transcript.ts';
import type { Turn } from './transcript.ts';

const idsOf = (turn: Turn): string[] => ((turn.tool_calls ?? []) as { id: string }[]).map((call) => call.id);

/** The first rule that a conversation breaks, or null. */
function fault(messages: readonly Turn[]): string | null {
  if (messages.length < 1 || messages.length > maxTurns) return `${messages.length} messages`;
  let open: string[] = [];
  for (const [index, turn] of messages.entries()) {
    const before = String(messages[index - 1]?.role ?? 'nothing');
    if (turn.role === 'tool') {
      const id = String(turn.tool_call_id);
      if (!open.includes(id)) return `message ${index} answers no open call`;
      open = open.filter((one) => one !== id);
      continue;
    }
    if (open.length > 0) return `message ${index} comes before all results`;
    open = idsOf(turn);
    const allowed: Record<string, string[]> = {
      system: ['nothing'],
      user: ['nothing', 'system', 'assistant'],
      assistant: ['user', 'tool'],
    };
    if (!allowed[String(turn.role)]?.includes(before)) return `${turn.role} after ${before} at ${index}`;
  }
  if (open.length > 0) return 'calls without a result at the end';
  return ['user', 'tool'].includes(String(messages.at(-1)?.role)) ? null : 'ends with the assistant';
}

const conversations = fc
  .sample(longTranscript, { numRuns: 500, seed: 1 })
  .map((one) => withPrompt(one, 'the prompt'));

it('makes only legal conversations that contain the prompt once and repeat no call id', () => {
  for (const messages of [
    ...conversations,
    ...extremeTranscripts.map((one) => withPrompt(one, 'the prompt')),
  ]) {
    expect(fault(messages)).toBeNull();
    expect(messages.filter((turn) => turn.content === 'the prompt')).toHaveLength(1);
    const ids = messages.flatMap(idsOf);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

it('makes short and long conversations, with all roles and parallel calls', () => {
  const lengths = conversations.map((messages) => messages.length);
  expect(Math.min(...lengths)).toBe(1);
  expect(Math.max(...lengths)).toBeGreaterThan(25);
  expect(extremeTranscripts.map((one) => one.messages.length)).toEqual([1, maxTurns]);
  const turns = conversations.flat();
  expect(new Set(turns.map((turn) => turn.role)).size).toBe(4);
  expect(turns.some((turn) => idsOf(turn).length === 4)).toBe(true);
});
