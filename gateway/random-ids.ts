import { randomFillSync } from 'node:crypto';

const idBytes = 18;
const pooledIds = 256;

/** Makes random ids of 144 bits in URL-safe characters. Each call of the system's generator provides many ids. */
export function createRandomIds(): () => string {
  const pool = Buffer.alloc(idBytes * pooledIds);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += idBytes;
    return pool.toString('base64url', at - idBytes, at);
  };
}
