import { randomBytes } from 'node:crypto';
import { S3mini } from 's3mini';

// For tests only: buckets of the server that `.ci/s3` starts.

const named = process.env.GATECHECK_TEST_S3 ?? '';
/** Tests on a real store are skipped if there is none; the run prints the reason at its end. */
export const isS3Missing = named === '' || named.startsWith('none ');

/** The configuration section for a bucket. */
export interface BucketPlace {
  readonly endpoint: string;
  readonly bucket: string;
  readonly access_key_id: string;
  readonly secret_access_key: string;
}

export interface TestBucket {
  readonly place: BucketPlace;
  /** The keys of all objects, sorted. */
  keys(): Promise<readonly string[]>;
  /** The object that the store has under a key. */
  object(key: string): Promise<{ readonly contentType: string | null; readonly bytes: Buffer }>;
  write(key: string, bytes: Buffer): Promise<void>;
  uploads(): Promise<number>;
}

/** A new, empty bucket. It is deleted with its server. */
export async function freshBucket(): Promise<TestBucket> {
  const url = new URL(named);
  const place = {
    endpoint: url.origin,
    bucket: `gatecheck-test-${randomBytes(6).toString('hex')}`,
    access_key_id: decodeURIComponent(url.username),
    secret_access_key: url.password,
  };
  const s3 = new S3mini({
    endpoint: `${place.endpoint}/${place.bucket}`,
    accessKeyId: place.access_key_id,
    secretAccessKey: place.secret_access_key,
    region: 'us-east-1',
  });
  if (!(await s3.createBucket())) throw new Error('the store made no bucket');
  return {
    place,
    keys: async () => ((await s3.listObjects()) ?? []).map(({ Key }) => Key),
    object: async (key) => {
      const reply = await s3.getObjectRaw(key);
      return {
        contentType: reply.headers.get('content-type'),
        bytes: Buffer.from(await reply.arrayBuffer()),
      };
    },
    write: async (key, bytes) => void (await s3.putObject(key, bytes)),
    uploads: async () => JSON.stringify(await s3.listMultipartUploads()).split('"UploadId"').length - 1,
  };
}
