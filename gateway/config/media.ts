import { z } from 'zod';
import { filledText, flag, sizeBytes } from './fields.ts';
import { waitMs } from './waits.ts';

/** A store with the interface of S3. */
const s3 = z
  .strictObject({
    endpoint: z
      .string('must be a URL')
      .refine(isEndpoint, 'must be an http or https URL without user and query')
      .transform((url) => url.replace(/\/+$/, '')),
    region: z
      .string('must be a text')
      .regex(/^[a-z0-9-]{1,64}$/, 'must be 1 to 64 small letters, digits or dashes')
      .default('us-east-1'),
    bucket: z
      .string('must be a text')
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/,
        'must be 3 to 63 letters, digits, dots, dashes or underscores',
      ),
    // The prefix of all object names, so that several gateways can share a bucket.
    prefix: z
      .string('must be a text')
      .regex(
        /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*\/$/,
        'must be names of letters, digits, dots, dashes and underscores, each with a slash behind it',
      )
      .max(200, 'must have at most 200 characters')
      .optional(),
    // Set both or neither; without them, the environment variables count.
    access_key_id: filledText.optional(),
    secret_access_key: filledText.optional(),
    // Whether the bucket name is in the path of a URL or in its host name.
    path_style: flag.default(true),
    // Timeout of one request to the store. A request carries at most a few megabytes.
    timeout_ms: waitMs.default(15_000),
  })
  .refine((one) => (one.access_key_id === undefined) === (one.secret_access_key === undefined), {
    message: 'must have both access_key_id and secret_access_key, or neither',
  });
export type S3Config = z.infer<typeof s3>;

/** The files that tasks and image requests produce: where they are kept, and how large they may be. */
export const media = z
  .strictObject({
    // Below the data directory by default. Processes that share a database must share this directory or a bucket.
    dir: filledText.optional(),
    s3: s3.optional(),
    most_bytes: sizeBytes.default(512 * 1024 * 1024),
  })
  .refine(({ dir, s3: bucket }) => dir === undefined || bucket === undefined, {
    message: 'must have dir or s3, not both',
  });

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ''
  );
}

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The keys of the configuration, or else those of the environment; null where there are none. */
export function s3KeysIn(
  { access_key_id: id, secret_access_key: secret }: S3Config,
  env: Readonly<Record<string, string | undefined>>,
): S3Keys | null {
  if (id !== undefined && secret !== undefined) return { accessKeyId: id, secretAccessKey: secret };
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;
  return accessKeyId === '' || secretAccessKey === '' ? null : { accessKeyId, secretAccessKey };
}
