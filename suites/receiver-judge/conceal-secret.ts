import { secretBytes } from '../oracle/webhooks/sign.ts';
import { type Redact, replacerOf } from '../wire/redactor.ts';

const placeholder = '$GATECHECK_WEBHOOK_SECRET';

/** Replaces the secret everywhere in a text, in every form in which a careless receiver could return it. */
export function concealSecret(secret: string): Redact {
  const encoded = secret.replace(/^whsec_/, '');
  const bytes = secretBytes(secret);
  const forms = [
    secret,
    encoded,
    encoded.replace(/=+$/, ''),
    bytes.toString('hex'),
    bytes.toString('base64url'),
    bytes.toString('utf8'),
  ];
  return replacerOf(forms.map((form) => [form, placeholder] as const));
}
