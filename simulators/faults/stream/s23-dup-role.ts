import { type ChatDialectName, chatDialect } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer, mapEvents } from '../native/edit-answer.ts';
import { type JsonPath, readPath, withMember } from '../native/json-path.ts';

/** The role is in every delta, in none, or present but empty. */
export const roleOddities: Fault = editAnswer('S23', (frames, { dialect, form }) => {
  const path = rolePaths[chatDialect(dialect)];
  const role = form === 'none' ? undefined : form === 'empty' ? '' : roles[chatDialect(dialect)];
  return mapEvents(frames, (data) => {
    const holder = readPath(data, path.slice(0, -1));
    return holder === undefined ? data : withMember(data, path, role);
  });
});

const rolePaths: Readonly<Record<ChatDialectName, JsonPath>> = {
  'chat-completions': ['choices', 0, 'delta', 'role'],
  messages: ['message', 'role'],
  'generate-content': ['candidates', 0, 'content', 'role'],
};

const roles: Readonly<Record<ChatDialectName, string>> = {
  'chat-completions': 'assistant',
  messages: 'assistant',
  'generate-content': 'model',
};
