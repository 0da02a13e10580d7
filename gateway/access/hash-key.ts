import { createHmac } from 'node:crypto';

/**
 * What is stored and looked up instead of an API key: HMAC-SHA256 under the deployment's pepper, in hex. Keys
 * are long random texts, so a fast keyed hash is right; without the pepper a stolen table is of no use.
 */
export function keyHasher(pepper: string): (secret: string) => string {
  return (secret) => createHmac('sha256', pepper).update(secret).digest('hex');
}
