import type { CarriedRequest, Translation } from '../profile/translation.ts';
import { isAnswer, type Mutation } from './mutation.ts';

/** The translation that a mutation makes, without the answers that it invents. */
export function translationOf(mutation: Mutation): Translation {
  const request = (asked: CarriedRequest): CarriedRequest => {
    const passed = mutation.request?.(asked) ?? asked;
    return isAnswer(passed) ? asked : passed;
  };
  return {
    request,
    answer: (answer, asked) => mutation.answer?.(answer, request(asked)) ?? answer,
    events: (asked) => mutation.events?.(request(asked)) ?? ((event) => (event === null ? [] : [event])),
    streamHead: (head) => mutation.streamHead?.(head) ?? head,
  };
}

/** Two translations in a row: `outer` next to the checks, `inner` next to the deployment. */
export function inTurn(outer: Translation, inner: Translation | undefined): Translation {
  if (inner === undefined) return outer;
  return {
    ...inner,
    request: (asked) => inner.request(outer.request(asked)),
    answer: (answer, asked) => outer.answer(inner.answer(answer, outer.request(asked)), asked),
    events: (asked) => {
      const [first, second] = [inner.events(outer.request(asked)), outer.events(asked)];
      return (event) => {
        const passed = first(event).flatMap((one) => second(one));
        return event === null ? [...passed, ...second(null)] : passed;
      };
    },
    streamHead: (head) => outer.streamHead(inner.streamHead(head)),
  };
}
