import { chatDialect } from '../../answers/native-answer.ts';
import type { Fault } from '../../fault-contract/fault.ts';
import { editJson } from '../native/answer-json.ts';
import { answerMembers } from '../native/answer-members.ts';

/** The body has every member except the answer itself. */
export const missingFields: Fault = {
  id: 'P7',
  kind: 'edit',
  answer: (given) => {
    const missing = answerMembers[chatDialect(given.dialect)];
    return editJson(given, (document) =>
      Object.fromEntries(Object.entries(document).filter(([name]) => !missing.includes(name))),
    );
  },
};
