import { readSse } from '../wire/sse.ts';

interface Chunk {
  choices?: { delta?: { content?: unknown } }[];
}

/**
 * The text that a chat stream has carried by now, its events of whatever cut: a gateway may divide deltas otherwise
 * than its upstream does. What cannot be read yet counts as nothing; the whole stream is for `judgeStream` to judge.
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
