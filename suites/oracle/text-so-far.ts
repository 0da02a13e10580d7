import { readSse } from '../wire/sse.ts';

interface Chunk {
  choices?: { delta?: { content?: unknown } }[];
}

/**
 * The text of a chat stream so far. A gateway may split deltas differently from its upstream. Unreadable events are skipped,
 * because `judgeStream` judges the whole stream.
 */
export function textSoFar(body: string): string {
  return readSse(Buffer.from(body))
    .events.flatMap(({ data }) => contentsOf(data))
    .join('');
}

function contentsOf(data: string): string[] {
  try {
    const chunk = JSON.parse(data) as Chunk | null;
    return (chunk?.choices ?? [])
      .map((choice) => choice.delta?.content)
      .filter((text) => typeof text === 'string');
  } catch {
    return [];
  }
}

/** Whether a piece of an answer, streamed or not, has text, on any chat protocol. */
export function hasText(body: string): boolean {
  return /"(?:content|text)":\s*"[^"]/.test(body);
}
