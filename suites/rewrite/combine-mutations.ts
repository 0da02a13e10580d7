import { isAnswer, type Mutation } from './mutation.ts';

/** Combines mutations into one: each is applied after the one before, to requests and to answers. */
export function combineMutations(parts: readonly Mutation[]): Mutation {
  return parts.reduce(inTurn, {});
}

/**
 * Applies the second mutation after the first, to requests and to answers. Only one of the two may join events.
 */
function inTurn(first: Mutation, second: Mutation): Mutation {
  const { request, answer, streamHead, events } = first;
  const both = <T>(one: T | undefined, other: T | undefined, join: (one: T, other: T) => T): T | undefined =>
    one !== undefined && other !== undefined ? join(one, other) : (one ?? other);
  return definedOnly({
    request: both(request, second.request, (one, other) => (value) => {
      const passed = one(value);
      return isAnswer(passed) ? passed : other(passed);
    }),
    join: first.join ?? second.join,
    answer: both(
      answer,
      second.answer,
      (one, other) => (value, request) => other(one(value, request), request),
    ),
    streamHead: both(streamHead, second.streamHead, (one, other) => (head) => other(one(head))),
    events: both(events, second.events, (one, other) => (request) => chain(one(request), other(request))),
    wire: both(first.wire, second.wire, (one, other) => ({ ...one, ...other })),
    delayAnswer: first.delayAnswer ?? second.delayAnswer,
    delayMs: both(first.delayMs, second.delayMs, Math.max),
    // The first mutation forwards to the second one, except what it sends to another origin.
    deliver: both(
      first.deliver,
      second.deliver,
      (one, other) => (event, eventRoute) =>
        one(event, {
          ...eventRoute,
          forward: (passed, origin) =>
            origin === undefined ? other(passed, eventRoute) : eventRoute.forward(passed, origin),
        }),
    ),
  });
}

type EventChange = (event: string | null) => readonly string[];

function chain(one: EventChange, other: EventChange): EventChange {
  return (event) => {
    const passed = one(event).flatMap((changed) => other(changed));
    return event === null ? [...passed, ...other(null)] : passed;
  };
}

function definedOnly(mutation: { [Name in keyof Mutation]: Mutation[Name] | undefined }): Mutation {
  return Object.fromEntries(Object.entries(mutation).filter(([, value]) => value !== undefined)) as Mutation;
}
