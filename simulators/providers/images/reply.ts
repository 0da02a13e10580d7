import type { ScriptedJob } from '../../control/job-shapes.ts';
import { coloursOf } from '../../encoders/colours.ts';
import { type Made, madePicture } from '../../encoders/generated-file.ts';
import { seededId, seededRandom } from '../../random.ts';
import type { JobBefallen } from '../../state/jobs/job.ts';
import type { TenantFile } from '../../state/jobs/linked-file.ts';
import type { Tenant } from '../../state/tenant.ts';
import { words } from '../composition/words.ts';
import type { Identity } from '../identity.ts';
import { linkTo } from '../media/links.ts';
import type { ImagesRequest } from './request.ts';

/** How long a link works when nothing is scripted, ms. */
const linkLifeMs = 3_600_000;

/** What the pictures are given out with. */
export interface Gallery {
  readonly tenant: Tenant;
  readonly host: string;
  readonly identity: Identity;
  readonly befallen: JobBefallen | null;
}

/** The answer as one JSON document; pictures that are asked for by link wait behind it. */
export function renderPictures(request: ImagesRequest, job: ScriptedJob, gallery: Gallery): object {
  const { seed, nowMs } = gallery.identity;
  const made = makePictures(request, job.outputs ?? request.count, seed);
  const revised = request.rewrites ? { revised_prompt: rewrite(request, seed) } : {};
  const data = made.map((picture, index) =>
    request.output === 'base64'
      ? { base64: picture.bytes().toString('base64'), ...revised }
      : { url: giveOut(picture, index, job, gallery), ...revised },
  );
  return { created: Math.floor(nowMs / 1000), data };
}

/** They depend on the seed of the process and the request alone. */
function makePictures({ model, content, ...request }: ImagesRequest, count: number, seed: number): Made[] {
  const [width, height] = model.shape(request);
  return Array.from({ length: count }, (_, at) =>
    madePicture({
      width,
      height,
      ...coloursOf(seed, model.name, content, at),
      description: `${model.name} picture ${at + 1}`,
    }),
  );
}

function giveOut(made: Made, index: number, job: ScriptedJob, gallery: Gallery): string {
  const { tenant, host, befallen, identity } = gallery;
  const { seed, channel, n, nowMs } = identity;
  const id = `file_${seededId(20, 'file', seed, tenant.name, channel, n, index)}`;
  const file: TenantFile = {
    id,
    dialect: 'images',
    channel,
    made,
    index,
    job: null,
    befallen,
    createdAtMs: nowMs,
    reads: 0,
  };
  tenant.jobs.addFile(file);
  return linkTo(file, nowMs + (job.link_life_ms ?? linkLifeMs), { host, tenant: tenant.name, channel, seed });
}

/** Another prompt, as the model would rather have it. */
function rewrite({ prompt, content, model }: ImagesRequest, seed: number): string {
  const random = seededRandom('rewritten', seed, model.name, content);
  const added = Array.from({ length: 6 }, () => random.pick(words)).join(' ');
  return `${prompt.trimEnd()}, ${added}, in soft light`;
}
