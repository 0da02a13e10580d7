import { GatewayError } from '../errors/gateway-error.ts';
import { isKey } from './authenticate.ts';
import type { Directory } from './directory.ts';

/**
 * What `judge` says of a key by the state of the database. A process that shares it may be let down by its memory in
 * two ways: it has not looked for long, or the key is newer than what it knows. So it looks before it lets anybody in
 * after a silence, and once before it refuses a key.
 */
export function judgeCurrently<Verdict>(
  secret: string | null,
  directory: Pick<Directory, 'isFresh' | 'look'>,
  judge: () => Verdict,
): Promise<Verdict> | Verdict {
  const judgeTwice = (): Promise<Verdict> | Verdict => {
    try {
      return judge();
    } catch (refusal) {
      if (!(refusal instanceof GatewayError && isKey(secret))) throw refusal;
      // Without an answer it stays refused: what is in memory is still good.
      return directory.look().then(judge, () => {
        throw refusal;
      });
    }
  };
  return directory.isFresh ? judgeTwice() : directory.look().then(judgeTwice);
}
