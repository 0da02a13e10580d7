import { objectIn } from '../../suites/rewrite/json.ts';
import type { ProxyRequest } from '../../suites/rewrite/mutation.ts';
import type { Variant } from '../edits/mutant.ts';
import { chunkIn, isObject, type JsonObject, toEvent } from './rewrite.ts';

/** Gateways whose turns with tool calls differ where the rules leave it open. */
export const callVariants: readonly Variant[] = [
  {
    id: 'calls.stop-after-named',
    title: 'a call that tool_choice names ends its turn with finish_reason stop (TOOL-017)',
    mutation: {
      answer: (answer, request) => {
        const body = namesItsCall(request) ? objectIn(answer.body) : null;
        return body === null ? answer : { ...answer, body: Buffer.from(JSON.stringify(endedByStop(body))) };
      },
      events: (request) => {
        const named = namesItsCall(request);
        return (event) => {
          if (event === null) return [];
          const chunk = named ? chunkIn(event) : null;
          return [chunk === null ? event : toEvent(endedByStop(chunk))];
        };
      },
    },
  },
];

function namesItsCall(request: ProxyRequest): boolean {
  return isObject(objectIn(request.body)?.tool_choice);
}

function endedByStop(part: JsonObject): JsonObject {
  const choices: unknown[] = Array.isArray(part.choices) ? part.choices : [];
  const ended = choices.map((choice) =>
    isObject(choice) && choice.finish_reason === 'tool_calls' ? { ...choice, finish_reason: 'stop' } : choice,
  );
  return 'choices' in part ? { ...part, choices: ended } : part;
}
