import { withoutHeaders } from '../rewrite/proxy-headers.ts';
import { type Deviation, headerNames } from './deviation.ts';

/** Without these an answer cannot be read. */
const needed = ['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'connection'];

/** Headers of their own in which answers quote the upstream's. */
export const answerHeaders: Deviation = {
  id: 'answer-headers',
  title: 'answers have headers of their own that quote the upstream',
  requirement: 'ERR-009',
  checks: ['err.upstream.text'],
  takes: 'the names of the headers, such as [x-upstream-error]',
  undo: (given) => {
    const names = Array.isArray(given) ? headerNames(given, needed) : null;
    if (names === null) return null;
    return {
      answer: (answer) => ({ ...answer, headers: withoutHeaders(answer.headers, ...names) }),
      streamHead: (head) => ({ ...head, headers: withoutHeaders(head.headers, ...names) }),
    };
  },
};
