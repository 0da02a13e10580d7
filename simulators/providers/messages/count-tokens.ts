import type { WholeAnswer } from '../../answers/whole-answer.ts';
import { countPrompt, promptBlocks } from './prompt-blocks.ts';
import type { CountRequest } from './schema.ts';

/** The answer to a request to count tokens. No window limits it, and it does not touch the cache. */
export function answerCount(request: CountRequest): WholeAnswer {
  const body = { input_tokens: countPrompt(promptBlocks(request)) };
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
}
