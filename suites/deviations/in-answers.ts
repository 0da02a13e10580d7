import { type Body, exactIn } from '../rewrite/json.ts';
import type { Mutation, ProxyRequest } from '../rewrite/mutation.ts';

/** Edits the JSON of answers and stream events on every endpoint. Text that `edit` does not change keeps its bytes. */
export function inAnswers(edit: (body: Body, request: ProxyRequest) => void): Mutation {
  const edited = (text: Buffer, request: ProxyRequest): string | null => {
    const body = exactIn(text);
    if (body === null) return null;
    const was = JSON.stringify(body);
    edit(body, request);
    const is = JSON.stringify(body);
    return is === was ? null : is;
  };
  return {
    answer: (answer, request) => {
      const body = edited(answer.body, request);
      return body === null ? answer : { ...answer, body: Buffer.from(body) };
    },
    events: (request) => (event) => {
      if (event === null) return [];
      const lines = event.split('\n').map((line) => {
        const body = line.startsWith('data: ') ? edited(Buffer.from(line.slice(6)), request) : null;
        return body === null ? line : `data: ${body}`;
      });
      return [lines.join('\n')];
    },
  };
}
