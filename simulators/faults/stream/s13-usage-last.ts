import type { Fault } from '../../fault-contract/fault.ts';
import { firstChunk } from '../native/content.ts';
import { insertAt, placeOf } from '../native/places.ts';
import { editUsage, usageMember, withoutUsage } from '../native/usage-places.ts';

/** The counts come after the ending, in a separate chunk without any content. */
export const usageLast: Fault = editUsage('S13', (frames, usage, { dialect }) => {
  const bare = withoutUsage(frames, dialect);
  const place = placeOf(bare, 'finish') + 1;
  const { candidates: _none, ...envelope } = firstChunk(bare);
  const choices = dialect === 'chat-completions' ? { choices: [] } : {};
  const data = { ...envelope, ...choices, [usageMember(dialect)]: usage };
  const dueMs = bare[place - 1]?.dueMs ?? 0;
  return insertAt(bare, place, { label: 'usage', dueMs, events: [{ name: null, data }] });
});
