import { Readable } from 'node:stream';
import type { Gone } from '../gone.ts';
import { type ClientLeft, failure, type UpstreamFailure } from '../upstreams/outcome.ts';
import type { MediaExtension } from './content-type.ts';
import { type Download, type DownloadDeps, download } from './download.ts';
import type { Recording } from './inspect-mp4.ts';
import { extensionOf, headBytes, inspectOutput, isOtherMedium, type Wanted } from './inspect-output.ts';
import type { KeptFile, MediaFiles } from './media-files.ts';

/** An output of a job, stored here. */
export interface KeptOutput {
  readonly kind: 'kept';
  readonly file: KeptFile;
  readonly what: Wanted;
  /** Duration of video or audio as the file states it, perhaps with a fraction; null when it states none. */
  readonly seconds: number | null;
}

/** An output of another kind, such as the cover of a song. Nothing is stored. */
export interface OtherOutput {
  readonly kind: 'other';
}

export interface FetchDeps extends DownloadDeps {
  readonly files: MediaFiles;
}

/** An output of a job as its upstream names it. */
export interface NamedOutput {
  readonly url: string;
  readonly want: Wanted;
}

/** Fetches an output of a job and stores it if it is of the wanted kind: complete, or not at all (faults J9 and J10). */
export function fetchOutput(
  deps: FetchDeps,
  { url, want }: NamedOutput,
  gone: Gone,
): Promise<KeptOutput | OtherOutput | UpstreamFailure | ClientLeft> {
  return download(deps, url, gone, (bytes) => keepOutput(deps.files, bytes, want));
}

async function keepOutput(
  files: MediaFiles,
  bytes: Download,
  want: Wanted,
): Promise<KeptOutput | OtherOutput | UpstreamFailure> {
  const head = await headOf(bytes);
  const extension = extensionOf(head, want);
  if (extension === null)
    return isOtherMedium(head, want) ? { kind: 'other' } : failure('unusable', `a link led to no ${want}`);
  const file = await files.keep(extension, Readable.from(after(head, bytes)));
  const facts = await factsOf(files, file, extension);
  if (facts !== null) return { kind: 'kept', file, what: want, seconds: facts.seconds };
  await files.remove(file.name);
  return failure('unusable', `a file was no whole ${extension}`);
}

async function factsOf(
  files: MediaFiles,
  { name }: KeptFile,
  extension: MediaExtension,
): Promise<Recording | null> {
  const opened = await files.open(name);
  if (opened === null) return null;
  try {
    return await inspectOutput(opened, extension);
  } finally {
    await opened.close();
  }
}

/** Reads enough bytes to recognise the type of a file; the rest can still be read. */
async function headOf(bytes: Download): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  while (head.length < headBytes) {
    const { done, value } = await bytes.next();
    if (done === true) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

async function* after(head: Buffer, bytes: Download): AsyncGenerator<Buffer, void> {
  yield head;
  yield* bytes;
}
