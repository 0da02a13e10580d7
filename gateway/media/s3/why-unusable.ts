import type { S3Config } from '../../config/media.ts';
import type { MediaFiles } from '../media-files.ts';
import type { Bucket } from './bucket.ts';
import { S3Failure } from './s3-failure.ts';

/** Text that is written to a bucket to check that it can be written, read in part and removed. */
const sample = 'written by gatecheck at a start, to be removed at once';
const [from, length] = [11, 9];

/** Tries every operation that files need; null when all succeed, otherwise a sentence for the operator. */
export async function whyUnusable(
  files: MediaFiles,
  bucket: Bucket,
  config: Pick<S3Config, 'endpoint' | 'bucket' | 'region' | 'prefix'>,
): Promise<string | null> {
  const place = `media.s3: the bucket ${config.bucket} at ${config.endpoint}`;
  try {
    await bucket.list(config.prefix ?? '', null);
    await bucket.openUploads(config.prefix ?? '');
    const { name, bytes } = await files.keep('txt', Buffer.from(sample));
    const opened = await files.open(name);
    const read = await opened?.read(from, length);
    await files.remove(name);
    if (opened?.bytes === bytes && read?.toString() === sample.slice(from, from + length)) return null;
    return `${place} does not give back what was written to it.`;
  } catch (error) {
    if (!(error instanceof S3Failure)) throw error;
    return `${place} cannot be used: ${reasonOf(error, config.region)}.`;
  }
}

/** Explains the most frequent errors; for others, the store's own code. */
function reasonOf({ status, code, message }: S3Failure, region: string): string {
  const said = [status ?? '', code].join(' ').trim();
  if (status === null)
    return code === 'TIMEOUT' ? 'it does not answer in time' : `it cannot be reached (${said})`;
  if (code === 'RequestTimeTooSkewed') return `its clock and that of this machine differ (${said})`;
  if (isOfRegion(status, code)) return `it is not in the region ${region} (${said})`;
  if (code === 'NoSuchBucket' || status === 404) return `there is no such bucket (${said})`;
  if (status === 403)
    return `it refuses these keys, or they may not list, read, write and delete there (${said})`;
  return message;
}

function isOfRegion(status: number, code: string): boolean {
  return status === 301 || status === 307 || code === 'AuthorizationHeaderMalformed';
}
