import { seededRandom } from '../../random.ts';
import { cutIntoPieces } from '../../tokens.ts';

/** Splits the text as scripted, as far as it reaches; otherwise into seeded deltas of one to four tokens. */
export function splitText(text: string, scripted: readonly string[] | undefined, seed: number): string[] {
  if (scripted !== undefined) return fitDeltas(scripted, text.length);
  const pieces = cutIntoPieces(text);
  const random = seededRandom('split', seed, text);
  const deltas: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const size = random.between(1, 4);
    deltas.push(pieces.slice(at, at + size).join(''));
    at += size;
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
