import { seededRandom } from '../../random.ts';
import { pieceEnd } from '../../tokens.ts';

/** Splits the text as scripted, as far as it reaches; otherwise into seeded deltas of one to four tokens. */
export function splitText(text: string, scripted: readonly string[] | undefined, seed: number): string[] {
  if (scripted !== undefined) return fitDeltas(scripted, text.length);
  const random = seededRandom('split', seed, text);
  const deltas: string[] = [];
  for (let at = 0; at < text.length; ) {
    const from = at;
    for (let left = random.between(1, 4); left > 0 && at < text.length; left -= 1) at = pieceEnd(text, at);
    deltas.push(text.slice(from, at));
  }
  return deltas;
}

/** Splits the text into at most `count` non-empty fragments of nearly the same length. */
export function splitArguments(text: string, count: number): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / count));
  const fragments = Math.ceil(characters.length / size);
  return Array.from({ length: fragments }, (_, at) => characters.slice(at * size, (at + 1) * size).join(''));
}

function fitDeltas(deltas: readonly string[], length: number): string[] {
  const fitting: string[] = [];
  let left = length;
  for (const delta of deltas) {
    if (delta.length > left) {
      if (left > 0) fitting.push(delta.slice(0, left));
      break;
    }
    fitting.push(delta);
    left -= delta.length;
  }
  return fitting;
}
