import { createHmac } from 'node:crypto';

/**
 * The stored form of an API key: HMAC-SHA256 under the deployment's pepper, in hex. Keys are long random texts, so
 * a fast keyed hash is safe. Without the pepper a stolen table is useless.
 */
export function keyHasher(pepper: string): (secret: string) => string {
  return (secret) => createHmac('sha256', pepper).update(secret).digest('hex');
}
