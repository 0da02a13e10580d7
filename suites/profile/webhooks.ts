import { z } from 'zod';
import { secret } from './keys.ts';

/** The part of a profile about events, and about the suites' receiver of them. */

const waitMs = z.int().min(1);

/** A receiver that already runs: beside the stack of `gatecheck up`, or elsewhere (`gatecheck inbox`), with a token. */
export interface RunningReceiver {
  readonly control: string;
  readonly token?: string | undefined;
}

/** A receiver that `gatecheck run` starts: its listening address here, and the URL by which the deployment reaches it. */
export interface OwnReceiver {
  readonly listen: string;
  readonly base_url: string;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly ca_out?: string | undefined;
  readonly plain: boolean;
}

const path = z.string().min(1).optional();

const receiver = z
  .strictObject({
    control: z
      .url({ protocol: /^http$/ })
      .optional()
      .describe('the control API of a receiver that runs already'),
    token: secret.optional().describe('the token of that API, where the receiver is on another machine'),
    listen: z
      .string()
      .regex(/^(?:[^:\s]+|\[[^\]\s]+\]):\d{1,5}$/, 'must be a host and a port such as 0.0.0.0:8443')
      .optional()
      .describe('where a receiver of the run itself listens on this machine'),
    base_url: z
      .url({ protocol: /^https$/, error: 'must be an https URL' })
      .refine((url) => !/[?#]/.test(url), 'must have no query')
      .optional()
      .describe('how the deployment reaches it'),
    cert: path.describe('its certificate chain, PEM'),
    key: path.describe('the key of that certificate, PEM'),
    ca_out: path.describe('file for the certificate authority that it generates'),
    plain: z.boolean().default(false).describe('a proxy in front terminates TLS and forwards plain HTTP'),
  })
  .superRefine((given, refiner) => {
    const fault = (name: string, message: string): void =>
      refiner.addIssue({ code: 'custom', path: [name], message });
    if (given.control === undefined) {
      if (given.token !== undefined) fault('token', 'is for a receiver that runs already: name its control');
      for (const name of ['listen', 'base_url'] as const)
        if (given[name] === undefined) fault(name, 'is needed, or control of a receiver that runs already');
    } else {
      for (const name of ['listen', 'base_url', 'cert', 'key', 'ca_out'] as const)
        if (given[name] !== undefined) fault(name, 'is not for a receiver that runs already');
    }
    if ((given.cert === undefined) !== (given.key === undefined))
      fault(given.cert === undefined ? 'cert' : 'key', 'is needed: the two belong together');
  })
  .transform(({ control, token, listen = '', base_url = '', ...more }): RunningReceiver | OwnReceiver => {
    if (control === undefined) return { listen, base_url: base_url.replace(/\/+$/, ''), ...more };
    return token === undefined ? { control } : { control, token };
  });

export const webhooks = z.strictObject({
  receiver: receiver.optional().describe('takes the events of the deployment'),
  secret: secret.optional().describe('what events of the account of K1 are signed with'),
  scheme: z.enum(['standard']).default('standard').describe('how they are signed (reading B-111)'),
  timestamp_header: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header')
    .default('X-Service-Timestamp')
    .describe('the header with the signed timestamp'),
  schedule_ms: z
    .array(z.int().min(0))
    .min(1)
    .optional()
    .describe('the wait before each attempt, from the one before (reading B-114)'),
  jitter_percent: z.number().min(0).max(100).default(10).describe('how much such a wait may deviate'),
  timeout_ms: waitMs.optional().describe('how long the deployment waits for the answer of a receiver'),
  within_ms: waitMs.default(10_000).describe('how long after the end of a task its event may take'),
  guards: z
    .boolean()
    .optional()
    .describe('whether URLs that lead to private addresses are refused, or never connected to'),
  private_hosts: z
    .array(z.string().min(1))
    .default([])
    .describe('names that resolve to a loopback address where the deployment runs'),
  untrusted: z
    .boolean()
    .default(false)
    .describe('whether events may go to a listener with an untrusted certificate'),
  kit: z
    .strictObject({
      url: z.url().describe('where it accepts events'),
      secret: secret.describe('the secret it verifies with'),
    })
    .optional()
    .describe('a receiver that verifies events'),
});

export type WebhookProfile = z.infer<typeof webhooks>;
