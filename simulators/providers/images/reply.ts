import type { ScriptedJob } from '../../control/job-shapes.ts';
import { coloursOf } from '../../encoders/colours.ts';
import { inForm } from '../../encoders/file-form.ts';
import { type GeneratedFile, pictureFile } from '../../encoders/generated-file.ts';
import { seededId, seededRandom } from '../../random.ts';
import type { AppliedJobFault } from '../../state/jobs/job.ts';
import type { LinkedFile } from '../../state/jobs/linked-file.ts';
import type { Tenant } from '../../state/tenant.ts';
import { words } from '../composition/words.ts';
import type { Identity } from '../identity.ts';
import { linkTo } from '../media/links.ts';
import type { ImagesRequest } from './request.ts';

/** The default lifetime of a link, ms. */
const linkLifeMs = 3_600_000;

/** What the answer needs to link to its images. */
export interface LinkContext {
  readonly tenant: Tenant;
  readonly host: string;
  readonly identity: Identity;
  readonly appliedFault: AppliedJobFault | null;
}

/** The answer as one JSON document. Images that were requested as links are stored for download. */
export function renderPictures(request: ImagesRequest, job: ScriptedJob, context: LinkContext): object {
  const { seed, nowMs } = context.identity;
  const made = makePictures(request, job.outputs ?? request.count, seed).map((one) =>
    inForm(one, job.file_form),
  );
  const revised = request.rewrites ? { revised_prompt: rewrite(request, seed) } : {};
  const data = made.map((picture, index) =>
    (job.pictures_as?.[index] ?? job.pictures_as?.at(-1) ?? request.output) === 'base64'
      ? { base64: picture.bytes().toString('base64'), ...revised }
      : { url: linkFile(picture, index, job, context), ...revised },
  );
  return { created: Math.floor(nowMs / 1000), data };
}

/** The images depend only on the seed of the process and the request. */
function makePictures(
  { model, content, ...request }: ImagesRequest,
  count: number,
  seed: number,
): GeneratedFile[] {
  const [width, height] = model.shape(request);
  return Array.from({ length: count }, (_, at) =>
    pictureFile({
      width,
      height,
      ...coloursOf(seed, model.name, content, at),
      description: `${model.name} picture ${at + 1}`,
    }),
  );
}

function linkFile(content: GeneratedFile, index: number, job: ScriptedJob, context: LinkContext): string {
  const { tenant, host, appliedFault, identity } = context;
  const { seed, channel, n, nowMs } = identity;
  const id = `file_${seededId(20, 'file', seed, tenant.name, channel, n, index)}`;
  const file: LinkedFile = {
    id,
    dialect: 'images',
    channel,
    content,
    index,
    job: null,
    appliedFault,
    createdAtMs: nowMs,
    isInQuery: job.links_by === 'query',
    reads: 0,
  };
  tenant.jobs.addFile(file);
  return linkTo(file, nowMs + (job.link_life_ms ?? linkLifeMs), { host, tenant: tenant.name, channel, seed });
}

/** The prompt as the model rewrites it. */
function rewrite({ prompt, content, model }: ImagesRequest, seed: number): string {
  const random = seededRandom('rewritten', seed, model.name, content);
  const added = Array.from({ length: 6 }, () => random.pick(words)).join(' ');
  return `${prompt.trimEnd()}, ${added}, in soft light`;
}
