import type { Variant } from '../mutation/mutant.ts';
import { isAnswer, type Mutation } from '../mutation/mutation.ts';
import type { Profile } from '../profile/profile.ts';

/** Combines harmless differences into one variant. What each may do, all of them together may do. */
export function combineVariants(id: string, parts: readonly Variant[]): Variant {
  return {
    id,
    title: `all at once: ${parts.map((part) => part.id).join(', ')}`,
    advised: parts.flatMap((part) => part.advised ?? []),
    declares: { chat: Object.assign({}, ...parts.map((part) => part.declares?.chat ?? {})) as ChatFacts },
    mutation: parts.map((part) => part.mutation).reduce(inTurn),
  };
}

type ChatFacts = Partial<Profile['chat']>;

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
