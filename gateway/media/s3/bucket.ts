import { S3mini, type UploadPart } from 's3mini';
import type { Clock } from '../../clock.ts';
import type { S3Config, S3Keys } from '../../config/media.ts';
import { S3Failure, s3FailureOf } from './s3-failure.ts';
import { createS3Fetch } from './s3-fetch.ts';

/** The objects of a bucket, each complete or absent. A temporary failure is retried, then thrown as an `S3Failure`. */
export interface Bucket {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Uploads an object in parts of equal size; the last may be smaller. The object exists after `complete`. */
  beginUpload(key: string, contentType: string): Promise<Upload>;
  /** The length of an object; null where there is none. */
  lengthOf(key: string): Promise<number | null>;
  read(key: string, at: number, length: number): Promise<Buffer>;
  /** Does nothing if the object does not exist. */
  remove(key: string): Promise<void>;
  /** The next page of keys with this prefix, in order. `page` is the `next` of the previous page. */
  list(prefix: string, page: string | null): Promise<Listed>;
  /** Uploads that were begun, and neither completed nor abandoned. */
  openUploads(prefix: string): Promise<readonly OpenUpload[]>;
  abandon(upload: OpenUpload): Promise<void>;
  close(): Promise<void>;
}

export interface Upload extends OpenUpload {
  add(bytes: Buffer): Promise<void>;
  complete(): Promise<void>;
}

export interface OpenUpload {
  readonly key: string;
  readonly id: string;
}

export interface Listed {
  readonly keys: readonly string[];
  /** Null at the end. */
  readonly next: string | null;
}

/** Attempts at a request, and the wait after the first; it doubles each time. */
const maxTries = 3;
const waitMs = 200;
const pageKeys = 1_000;
const ok = 200;
const partial = 206;
const notFound = 404;

export function openBucket(config: S3Config, keys: S3Keys, timer: Pick<Clock, 'sleep'>): Bucket {
  const { fetch, close } = createS3Fetch(config.timeout_ms);
  const s3 = new S3mini({
    ...keys,
    endpoint: bucketUrl(config),
    region: config.region,
    requestAbortTimeout: config.timeout_ms,
    fetch,
  });
  const attempt = async <Result>(did: string, act: () => Promise<Result>): Promise<Result> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await act();
      } catch (error) {
        const failure = s3FailureOf(error, did);
        if (!failure.isPassing || tries === maxTries) throw failure;
        await timer.sleep(waitMs * 2 ** (tries - 1));
      }
    }
  };
  const abandon = async ({ key, id }: OpenUpload): Promise<void> => {
    await attempt('abandoning an upload', () => s3.abortMultipartUpload(key, id));
  };
  return {
    put: async (key, bytes, contentType) => {
      await attempt('writing', () => s3.putObject(key, bytes, contentType));
    },
    beginUpload: async (key, contentType) => {
      const id = await attempt('writing', () => s3.getMultipartUploadId(key, contentType));
      const parts: UploadPart[] = [];
      return {
        key,
        id,
        add: async (bytes) => {
          parts.push(await attempt('writing', () => s3.uploadPart(key, id, bytes, parts.length + 1)));
        },
        complete: () => attempt('writing', () => complete(s3, { key, id }, parts)),
      };
    },
    lengthOf: (key) => attempt('looking', () => lengthOf(s3, key)),
    read: (key, at, length) => attempt('reading', () => readPart(s3, key, at, length)),
    remove: async (key) => {
      await attempt('removing', () => unlessGone(s3.deleteObject(key)));
    },
    list: (prefix, page) =>
      attempt('listing', async () => {
        const listed = await s3.listObjectsPaged('/', prefix, pageKeys, page ?? undefined);
        if (!listed?.objects) throw new S3Failure('listing', notFound, 'NoSuchBucket');
        const { objects, nextContinuationToken: next = null } = listed;
        return { keys: objects.map(({ Key }) => Key), next };
      }),
    openUploads: (prefix) =>
      attempt('listing uploads', async () =>
        uploadsIn(await s3.listMultipartUploads('/', '', 'GET', { prefix })),
      ),
    abandon,
    close,
  };
}

/** The URL of the bucket: its name is in the path, or before the host. */
export function bucketUrl({
  endpoint,
  bucket,
  path_style: isInPath,
}: Pick<S3Config, 'endpoint' | 'bucket' | 'path_style'>): string {
  if (isInPath) return `${endpoint}/${bucket}`;
  return endpoint.replace('://', `://${bucket}.`);
}

/** A store may answer 200 first, and report only in the body that it could not assemble the parts. */
async function complete(s3: S3mini, { key, id }: OpenUpload, parts: readonly UploadPart[]): Promise<void> {
  const { etag } = await s3.completeMultipartUpload(key, id, [...parts]);
  if (typeof etag !== 'string' || etag === '') throw new S3Failure('writing', ok, 'NotCompleted');
}

async function lengthOf(s3: S3mini, key: string): Promise<number | null> {
  return await unlessGone(s3.getContentLength(key));
}

/** Null when there is no such object. */
async function unlessGone<Value>(looking: Promise<Value>): Promise<Value | null> {
  try {
    return await looking;
  } catch (error) {
    if (s3FailureOf(error, '').status === notFound) return null;
    throw error;
  }
}

async function readPart(s3: S3mini, key: string, at: number, length: number): Promise<Buffer> {
  const reply = await s3.getObjectRaw(key, false, at, at + length);
  if (reply.status !== partial) {
    await reply.body?.cancel();
    throw new S3Failure('reading', reply.status, 'NoRange');
  }
  const bytes = Buffer.from(await reply.arrayBuffer());
  // Without a length in its head an answer that was cut looks like a whole one.
  if (bytes.length !== length) throw new S3Failure('reading', null, 'CUT');
  return bytes;
}

/** Reads the uploads in the store's answer, which the library returns unparsed: none, one, or several. */
function uploadsIn(listed: object): readonly OpenUpload[] {
  const result: unknown = 'ListMultipartUploadsResult' in listed ? listed.ListMultipartUploadsResult : listed;
  if (typeof result !== 'object' || result === null || !('Upload' in result)) return [];
  return [result.Upload].flat().flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('Key' in one) || !('UploadId' in one)) return [];
    const { Key: key, UploadId: id } = one;
    return typeof key === 'string' && typeof id === 'string' ? [{ key, id }] : [];
  });
}
