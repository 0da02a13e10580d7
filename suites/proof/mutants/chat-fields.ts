import { chatFields } from '../../oracle/chat-fields.ts';
import type { Mutant } from '../mutant.ts';
import { editRequest } from '../mutation.ts';

/** For each optional field of the chat request: a gateway that does not look at it, and so refuses nothing about it. */
export const chatFieldMutants: readonly Mutant[] = chatFields
  .filter((field) => field.name !== 'model' && field.name !== 'messages')
  .map((field) => {
    const cell = field.cells.find((candidate) => candidate.verdict === 'refuse');
    return {
      id: `chat.ignores-${field.name.replaceAll('_', '-')}`,
      title: `${field.name} is not looked at, so nothing about it is refused`,
      requirement: cell?.requirement ?? field.requirements[0],
      aspect: cell?.aspect ?? 'type',
      kind: 'front',
      mutation: {
        request: editRequest((body) => {
          delete body[field.name];
        }),
      },
    };
  });
