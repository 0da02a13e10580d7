import { withoutHeaders } from '../rewrite/proxy-headers.ts';
import { type Deviation, headerNames } from './deviation.ts';

/** Headers that a client needs to read an answer. */
const needed = ['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'connection'];

/** Removes the deployment's own answer headers that quote the upstream. */
export const answerHeaders: Deviation = {
  id: 'answer-headers',
  title: 'answers have headers of their own that quote the upstream',
  requirement: 'ERR-009',
  checks: ['err.upstream.text'],
  fits: ({ actual, exchange }) => {
    const words = actual.match(/[\w-]{8,}/g) ?? [];
    const values = (exchange?.response?.headers ?? []).map(([, value]) => value);
    return values.some((value) => words.some((word) => value.includes(word)));
  },
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
