import { seededRandom } from '../../random.ts';
import { cutIntoPieces } from '../../tokens.ts';

/** The probabilities of the tokens of a text, by the token rule and seeded by the text: `top` alternatives each. */
export function logprobsOf(text: string, top: number): object {
  const content = cutIntoPieces(text).map((token) => {
    const random = seededRandom('logprobs', token);
    const logprob = -random.below(1000) / 1000;
    const others = Array.from({ length: top }, (_, rank) =>
      entry(rank === 0 ? token : `${token}${rank}`, logprob - rank),
    );
    return { ...entry(token, logprob), top_logprobs: others };
  });
  return { content, refusal: null };
}

function entry(token: string, logprob: number): object {
  return { token, logprob, bytes: [...Buffer.from(token)] };
}
