import { events, json, type Reply } from './fake-upstream.ts';

/** Counts as the dialect writes them: the cache is part of the prompt, thoughts are separate from the candidates. */
export const generateUsage = {
  promptTokenCount: 11,
  candidatesTokenCount: 5,
  thoughtsTokenCount: 2,
  cachedContentTokenCount: 3,
  totalTokenCount: 18,
};

/** One native response; a string stands for a text part. */
export function response(
  parts: readonly (string | object)[],
  finishReason: string | null = null,
  more: object = {},
): object {
  const native = parts.map((part) => (typeof part === 'string' ? { text: part } : part));
  return {
    candidates: [
      {
        content: { role: 'model', parts: native },
        ...(finishReason !== null && { finishReason }),
        index: 0,
      },
    ],
    usageMetadata: generateUsage,
    modelVersion: 'native-name',
    responseId: 'native-id',
    ...more,
  };
}

/** A plain native answer. */
export function generated(
  parts: readonly (string | object)[],
  finishReason = 'STOP',
  more: object = {},
): Reply {
  return json(200, response(parts, finishReason, more));
}

/** One event of a stream. */
export function generateEvent(body: unknown): string {
  return `data: ${JSON.stringify(body)}\r\n\r\n`;
}

/** A stream of these responses. */
export function generatedStream(responses: readonly object[], end: 'fin' | 'hang' | 'reset' = 'fin'): Reply {
  return events(responses.map(generateEvent), end);
}

/** An error answer of the upstream. */
export function generateError(code: number, status: string, message: string, details: object[] = []): object {
  return { error: { code, message, status, ...(details.length > 0 && { details }) } };
}

/** The answer to a token-counting call. */
export function counted(totalTokens: unknown): Reply {
  return json(200, { totalTokens });
}
