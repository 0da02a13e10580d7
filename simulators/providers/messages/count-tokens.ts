import type { WholeAnswer } from '../../answers/whole-answer.ts';
import { countPrompt, promptBlocks } from './prompt-blocks.ts';
import type { CountRequest } from './schema.ts';

/** The answer to a request that asks only how long its prompt is; no window limits it and no cache sees it. */
export function answerCount(request: CountRequest): WholeAnswer {
  const body = { input_tokens: countPrompt(promptBlocks(request)) };
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  };
}
