import { asNative, rawAnswer, type WholeAnswer } from '../../answers/whole-answer.ts';
import { fileTypes } from '../../encoders/generated-file.ts';
import type { FileRead } from '../../fault-contract/fault.ts';
import { seededRandom } from '../../random.ts';
import type { AppliedJobFault } from '../../state/jobs/job.ts';
import type { LinkedFile } from '../../state/jobs/linked-file.ts';
import type { Dialect, DialectContext, NativeRequest, Opened, RequestOrigin } from '../dialect.ts';
import { isGood, linkedId, linkTo } from './links.ts';

/** The files behind the links of media upstreams. A client with the link needs no key. */
export const files: Dialect = { name: 'images', serves: ({ path }) => path.startsWith('/v1/files/'), open };

function open(origin: RequestOrigin, native: NativeRequest, { seed }: DialectContext): Opened {
  const { method, path, query } = native;
  const [, name = '', ext = ''] = /^\/v1\/files\/([^/.]+)\.([a-z0-9]+)$/.exec(path) ?? [];
  const id = linkedId(name, query);
  const file = origin.tenant.jobs.findFile(id);
  if (method !== 'GET') return settled(rawAnswer(405, 'only GET\n'));
  if (file === null || file.content.ext !== ext || file.channel !== native.channel) {
    return settled(rawAnswer(404, 'there is no such file\n'));
  }
  file.reads += 1;
  if (file.job !== null) file.job.downloads += 1;
  const isOpen = isGood(id, query, origin.now(), { seed, tenant: origin.tenant.name });
  const isLost = file.job?.parts.life.lost_outputs?.includes(file.index) ?? false;
  const found = isLost ? rawAnswer(404, 'the object was removed\n') : wholeFile(file);
  const answer = isOpen ? found : rawAnswer(403, 'the link has expired\n');
  const { appliedFault } = file;
  if (appliedFault?.fault.file === undefined) return settled(answer);
  const given = asNative(answer, file.dialect, {});
  const read = readOf(file, origin, native, seed, appliedFault);
  const changed = appliedFault.fault.file(given, read);
  return { is: 'faulted', fault: { ...appliedFault.entry, applied: changed !== given }, answer: changed };
}

function settled(answer: WholeAnswer): Opened {
  return { is: 'settled', headers: {}, answer };
}

function wholeFile({ content: { ext, bytes } }: LinkedFile): WholeAnswer {
  return { status: 200, headers: { 'content-type': fileTypes[ext] }, body: bytes() };
}

function readOf(
  file: LinkedFile,
  origin: RequestOrigin,
  native: NativeRequest,
  seed: number,
  { entry: { form }, waitMs }: AppliedJobFault,
): FileRead {
  const { tenant } = origin;
  const nowMs = origin.now();
  const base = { host: native.headers.get('host') ?? '', tenant: tenant.name, channel: native.channel, seed };
  const { content, job, index, reads: nth } = file;
  const url = linkTo(file, Number(native.query.get('expires') ?? 0), base);
  const endedAtMs = job === null ? file.createdAtMs : job.endedAt(nowMs);
  return {
    dialect: file.dialect,
    form,
    waitMs,
    random: seededRandom('file-look', seed, tenant.name, file.id, nth),
    headers: {},
    nowMs,
    nth,
    sinceMs: nowMs - file.createdAtMs,
    endedMs: endedAtMs === null ? null : nowMs - endedAtMs,
    made: [{ url, type: fileTypes[content.ext], seconds: content.seconds }],
    index,
    ext: content.ext,
  };
}
