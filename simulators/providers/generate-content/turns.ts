import { badRequest, type NativeError } from './errors.ts';
import type { Content } from './request.ts';

/** Finds an error in the roles, and in the order of calls, responses and signatures of a conversation; null when it is valid. */
export function findBrokenTurn(contents: readonly Content[], isStrict = false): NativeError | null {
  const turns = isStrict ? contents.map(countTurn) : joinResponses(contents.map(countTurn));
  return findNoUser(turns) ?? findBrokenOrder(turns) ?? findMissingSignature(contents);
}

/** There must be a user turn. */
function findNoUser(turns: readonly Turn[]): NativeError | null {
  return turns.every(({ isModel }) => isModel)
    ? badRequest('Please ensure that the contents have at least one turn of the role user.')
    : null;
}

interface Turn {
  readonly isModel: boolean;
  readonly calls: number;
  readonly responses: number;
  readonly parts: number;
}

function countTurn({ role, parts = [] }: Content): Turn {
  return {
    isModel: role === 'model',
    calls: parts.filter((part) => part.functionCall !== undefined).length,
    responses: parts.filter((part) => part.functionResponse !== undefined).length,
    parts: parts.length,
  };
}

/** Joins consecutive turns of responses, because together they answer the calls of one turn. */
function joinResponses(turns: readonly Turn[]): Turn[] {
  const isResponses = ({ responses, parts }: Turn): boolean => responses > 0 && responses === parts;
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last === undefined || !isResponses(last) || !isResponses(turn)) joined.push(turn);
    else {
      const [responses, parts] = [last.responses + turn.responses, last.parts + turn.parts];
      joined[joined.length - 1] = { ...last, responses, parts };
    }
  }
  return joined;
}

/** Every call needs its response in the very next turn, and every response needs its call. */
function findBrokenOrder(turns: readonly Turn[]): NativeError | null {
  for (const [at, { calls, responses }] of turns.entries()) {
    const before = turns[at - 1];
    if (calls > 0 && (before === undefined || before.isModel)) {
      return badRequest(
        'A function call turn must come right after a user turn or a function response turn.',
      );
    }
    if (responses > 0 && (before?.calls ?? 0) === 0) {
      return badRequest('A function response turn must come right after a function call turn.');
    }
    if (responses !== (before?.calls ?? 0)) return unequalCounts();
  }
  return (turns.at(-1)?.calls ?? 0) === 0 ? null : unequalCounts();
}

function unequalCounts(): NativeError {
  return badRequest(
    'The number of function response parts must be equal to the number of function call parts of the turn before.',
  );
}

/**
 * In the current turn, the first call of each step needs a signature. The current turn begins with the last user
 * content that is more than function responses. Any signature passes, also the documented placeholder for none.
 */
function findMissingSignature(contents: readonly Content[]): NativeError | null {
  const start = contents.findLastIndex(
    ({ role, parts = [] }) => role !== 'model' && parts.some((part) => part.functionResponse === undefined),
  );
  for (const [at, { parts = [] }] of contents.entries()) {
    const called = parts.find((part) => part.functionCall !== undefined);
    if (at > start && called?.functionCall !== undefined && !called.thoughtSignature) {
      return badRequest(
        `A function call part has no thought_signature: function call \`default_api:${called.functionCall.name}\`, position ${at + 1}.`,
      );
    }
  }
  return null;
}
