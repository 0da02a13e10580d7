import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Keeps texts secret that have to be read again, for a place that others may come to see. */
export interface Seal {
  /** What can be kept anywhere. Only with the same `owner` is it opened again. */
  close(secret: string, owner: string): string;
  /** The secret; null when it was sealed under another pepper or for another owner, or is damaged. */
  open(sealed: string, owner: string): string | null;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Says how it is sealed, for the day when there is another way. */
const FORM = 'v1.';

/** Seals under a key that is derived from the pepper of the deployment: without it a stolen table is of no use. */
export function createSeal(pepper: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'gatecheck webhook secrets', KEY_BYTES));
  return {
    close: (secret, owner) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return FORM + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open: (sealed, owner) => {
      const bytes = Buffer.from(sealed.slice(FORM.length), 'base64url');
      if (!sealed.startsWith(FORM) || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(owner));
      cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const text = [cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()];
        return Buffer.concat(text).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
