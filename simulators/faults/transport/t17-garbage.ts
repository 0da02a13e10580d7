import type { Fault } from '../../fault-contract/fault.ts';
import type { Random } from '../../random.ts';

/** Bytes that are not an HTTP response. */
export const garbage: Fault = {
  id: 'T17',
  kind: 'hijack',
  steps: ({ form, random }) => [
    { do: 'write', label: 'garbage', bytes: (rubbish[form ?? ''] ?? banner)(random), dueMs: 0 },
    { do: 'end', by: 'fin' },
  ],
};

const banner = (): Buffer => Buffer.from('SSH-2.0-OpenSSH_9.6p1\r\n');

const rubbish: Readonly<Record<string, (random: Random) => Buffer>> = {
  banner,
  binary: (random) => Buffer.from(Array.from({ length: 512 }, () => random.below(256))),
  // A body without any head.
  'bare-body': () => Buffer.from('{"id":"x","object":"chat.completion","choices":[]}\n'),
  // A fatal TLS alert: handshake failure.
  'tls-alert': () => Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28]),
  'bad-version': () => Buffer.from('HTTP/9.7 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
};
