import { GatewayError } from '../errors/gateway-error.ts';
import { isKey } from './authenticate.ts';
import type { Directory } from './directory.ts';

/**
 * Runs `judge` on the current keys. A process that shares its database can be out of date: its last lookup may be too old, or
 * a key newer than its memory. So it refreshes a stale directory first, and looks an unknown key up once before it rejects
 * it.
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
      // Without an answer the key stays rejected: the keys in memory are still current.
      return directory.look().then(judge, () => {
        throw refusal;
      });
    }
  };
  return directory.isFresh ? judgeTwice() : directory.look().then(judgeTwice);
}
