import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isChatDialect } from './catalogue/dialects.ts';
import type { Clock } from './clock.ts';
import { type S3Config, s3KeysIn } from './config/media.ts';
import type { Config } from './config.ts';
import { createMediaFiles } from './media/create-media-files.ts';
import type { MediaFiles } from './media/media-files.ts';
import { exitUsage, StartFailure } from './start-config.ts';

/** The files of this gateway. */
export interface OpenedMedia {
  readonly files: MediaFiles;
  close(): Promise<void>;
}

interface MediaParts {
  /** The clock for the age of files. */
  readonly clock: Clock;
  /** Real time, for waits on the file store. */
  readonly timer: Clock;
  readonly randomId: () => string;
}

/** Opens the directory or the bucket for files. @throws StartFailure with a sentence for the operator */
export async function openMedia(
  config: Config,
  storeKind: 'embedded' | 'server',
  { timer, ...parts }: MediaParts,
): Promise<OpenedMedia> {
  const { s3 } = config.media;
  if (s3 !== undefined) return openS3(s3, timer, parts);
  const dir = mediaDir(config, storeKind);
  return { files: createMediaFiles({ dir, ...parts }), close: async () => {} };
}

async function openS3(s3: S3Config, timer: Clock, parts: Omit<MediaParts, 'timer'>): Promise<OpenedMedia> {
  const keys = s3KeysIn(s3, process.env);
  if (keys === null)
    throw new StartFailure(
      'media.s3 needs access_key_id and secret_access_key, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.',
      exitUsage,
    );
  // Loaded only when a bucket is configured.
  const [{ openBucket }, { createS3Files }, { whyUnusable }] = await Promise.all([
    import('./media/s3/bucket.ts'),
    import('./media/s3/s3-files.ts'),
    import('./media/s3/why-unusable.ts'),
  ]);
  const bucket = openBucket(s3, keys, timer);
  const files = createS3Files({ bucket, prefix: s3.prefix ?? '', ...parts });
  const why = await whyUnusable(files, bucket, s3);
  if (why === null) return { files, close: bucket.close };
  await bucket.close();
  throw new StartFailure(why, exitUsage);
}

/**
 * A database server has no directory for files, so the configuration must name a place for them if any channel makes
 * media.
 */
function mediaDir(
  { media, channels, store: { data_dir: dataDir } }: Config,
  storeKind: 'embedded' | 'server',
): string {
  if (media.dir !== undefined) return media.dir;
  if (storeKind === 'embedded' && dataDir !== undefined) return join(dataDir, 'media');
  const maker = channels.find((channel) => !isChatDialect(channel.dialect));
  if (maker === undefined) return join(tmpdir(), 'gatecheck-media');
  throw new StartFailure(
    `media.dir or media.s3 is needed: the channel ${maker.id} makes media, and the database is on a server.`,
    exitUsage,
  );
}
