import { createHash } from 'node:crypto';

/** How a key is shown: enough to distinguish it from others, too little to use it. */
export function keyFingerprint(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
}
