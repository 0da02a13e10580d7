import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts texts that the gateway must read again, for storage that others may see. */
export interface Seal {
  /** Encrypts a secret. It can be decrypted only with the same `owner`. */
  close(secret: string, owner: string): string;
  /** Decrypts a secret. Null if it was encrypted under another pepper or for another owner, or is damaged. */
  open(sealed: string, owner: string): string | null;
}

const cipherName = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** Version of the encryption, so that another one can follow. */
const form = 'v1.';

/** Encrypts under a key derived from the deployment's pepper: a stolen table is useless without it. */
export function createSeal(pepper: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', pepper, '', 'gatecheck webhook secrets', keyBytes));
  return {
    close: (secret, owner) => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(cipherName, key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return form + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
    },
    open: (sealed, owner) => {
      const bytes = Buffer.from(sealed.slice(form.length), 'base64url');
      if (!sealed.startsWith(form) || bytes.length < nonceBytes + tagBytes) return null;
      const nonce = bytes.subarray(0, nonceBytes);
      const cipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
      cipher.setAAD(Buffer.from(owner));
      cipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const text = [cipher.update(bytes.subarray(nonceBytes + tagBytes)), cipher.final()];
        return Buffer.concat(text).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
