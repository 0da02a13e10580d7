import { type ChatDialectName, chatDialect } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { editAnswer, mapEvents } from '../native/edit-answer.ts';
import { type JsonPath, readPath, withMember } from '../native/json-path.ts';

/** The answer names a model other than the requested one: its `dated` id, or `another` name. */
export const modelDrift: Fault = editAnswer('M11', (frames, { dialect, form }) =>
  mapEvents(frames, (data) =>
    modelPaths[chatDialect(dialect)].reduce((changed, path) => {
      const name = readPath(changed, path);
      if (typeof name !== 'string') return changed;
      return withMember(changed, path, form === 'another' ? 'stand-in-model-2' : `${name}-20260915`);
    }, data),
  ),
);

const modelPaths: Readonly<Record<ChatDialectName, readonly JsonPath[]>> = {
  'chat-completions': [['model']],
  messages: [['model'], ['message', 'model']],
  'generate-content': [['modelVersion']],
};
