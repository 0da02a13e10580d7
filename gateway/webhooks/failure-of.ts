import type { WebhookAttempt } from './webhooks.ts';

/** Prefixes of error codes about certificates and TLS. */
const tls =
  /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERROR_IN_CERT_|INVALID_(?:CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_)/;
const unresolved = ['GATEWAY_UNRESOLVED', 'ENOTFOUND', 'EAI_AGAIN', 'ENODATA'];

/** Why an attempt got no answer, by the code of its error. The error's message is not used: it may contain foreign text. */
export function failureOf(error: unknown): NonNullable<WebhookAttempt['failure']> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'GATEWAY_BLOCKED') return 'blocked';
  if (unresolved.includes(code)) return 'unresolved';
  return tls.test(code) ? 'tls' : 'connection';
}
