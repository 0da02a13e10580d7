import { type Body, objectsIn } from '../rewrite/json.ts';
import type { ProxyRequest } from '../rewrite/mutation.ts';
import { isJsonObject } from '../values/json.ts';
import type { Deviation } from './deviation.ts';
import { inAnswers } from './in-answers.ts';

/** Members of a delta that must have a value or be absent. */
const members = ['role', 'tool_calls'];

/** Gateways that serialize every member of a typed object write null for absent values. */
export const nullMembers: Deviation = {
  id: 'null-members',
  title: 'chunks have null for a role or tool_calls',
  requirement: 'SSE-005',
  also: ['TOOL-018'],
  fits: ({ aspect, actual }) =>
    aspect === 'chunk-shape' && /^\/choices\/\d+\/delta\/(role|tool_calls) must/.test(actual),
  checks: ['sse.shape.every-model'],
  undo: (given) => {
    if (given !== undefined) return null;
    const begun = new WeakSet<ProxyRequest>();
    return inAnswers(({ object, choices }, request) => {
      if (object !== 'chat.completion.chunk') return;
      for (const { delta } of objectsIn(choices).filter((choice): choice is { delta: Body } =>
        isJsonObject(choice.delta),
      )) {
        // The first delta of an answer has a role, and only this one is possible.
        if (delta.role === null && !begun.has(request)) delta.role = 'assistant';
        begun.add(request);
        for (const name of members) if (delta[name] === null) delete delta[name];
      }
    });
  },
};
