import { objectsIn } from '../rewrite/json.ts';
import type { Deviation } from './deviation.ts';
import { inAnswers } from './in-answers.ts';
import { otherWords } from './other-words.ts';

const specified = ['stop', 'length', 'tool_calls', 'content_filter'];

/** Some gateways pass on their upstreams' finish reasons. */
export const finishReasons: Deviation = {
  id: 'finish-reasons',
  title: 'answers of chats end for reasons in other words',
  requirement: 'RESP-009',
  checks: ['resp.shape.every-model'],
  takes: 'your words and those of the specification, such as { end_turn: stop, tool_use: tool_calls }',
  undo: (given) => {
    const meant = otherWords(given, specified);
    if (meant === null) return null;
    return inAnswers(({ object, choices }) => {
      if (typeof object !== 'string' || !object.startsWith('chat.completion')) return;
      for (const choice of objectsIn(choices))
        if (choice.finish_reason !== undefined) choice.finish_reason = meant(choice.finish_reason);
    });
  },
};
