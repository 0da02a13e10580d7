import { legalMediaBody } from '../../generators/legal-media-body.ts';
import { legalValue, valuesOf } from '../../generators/media-values.ts';
import { absent } from '../../oracle/json-text.ts';
import {
  fieldsOf,
  laterSteps,
  type MediaField,
  type Medium,
  songActions,
} from '../../oracle/media/fields.ts';
import { mediaModel } from '../../oracle/media/models.ts';
import { createRng } from '../../values/seed.ts';
import { withValue } from './body-tree.ts';
import { fieldsIn } from './fields-of.ts';
import { type KnownValue, KnownValues } from './known-values.ts';
import { type Body, keySlot, type Subject } from './subject.ts';

const prompt = 'A lighthouse in the rain';

/** The links, voices and other material for media bodies on one deployment. */
export interface MediaMaterial {
  readonly link: (medium: Medium) => string;
  readonly voiceId: string;
  readonly webhookUrl: string;
}

const paths = { images: '/api/v1/images/generations', tasks: '/api/v1/tasks' } as const;

/** The image or task endpoint with one model. */
export function mediaSubject(id: string, material: MediaMaterial): Subject {
  const model = mediaModel(id);
  if (model === undefined) throw new Error(`${id} is not in the catalogue`);
  const least = legalMediaBody(id, { prompt: () => prompt, mediaUrl: material.link }, material.voiceId);
  const sources = { text: prompt, link: material.link };
  const optional = fieldsOf(id).filter((field) => !field.required && !isUpstreams(field));
  const full: Body = {
    ...least,
    ...Object.fromEntries(optional.map(({ name, form }) => [name, legalValue(form, sources)])),
    webhook_url: material.webhookUrl,
  };
  const whole = [full, ...laterBodies(id)];
  const known = new KnownValues(valuesFor(id, material));
  return {
    ...{ endpoint: model.endpoint, model: id, least, whole, known, streams: false },
    fields: fieldsIn(whole, ['model', ...fieldsOf(id).map(({ name }) => name)], known),
    draw: (seed) => {
      const rng = createRng(seed, id);
      const taken = optional.filter(() => rng.int(2) === 0);
      const drawn = taken.map(({ name, form }) => {
        const legal = valuesOf(form, sources).filter(({ verdict }) => verdict === 'accept');
        return [name, rng.pick(legal).value] as const;
      });
      return { ...least, ...Object.fromEntries(drawn) };
    },
    request: (body, _stream) => ({
      method: 'POST',
      path: paths[model.endpoint],
      headers: { authorization: `Bearer ${keySlot}`, 'content-type': 'application/json' },
      body,
    }),
    sureFault:
      ([top]) =>
      (body) =>
        withValue(body, [top === 'webhook_url' ? 'model' : 'webhook_url'], 7) as Body,
  };
}

/** Values that only the upstream knows. */
function isUpstreams({ name, form }: MediaField): boolean {
  return form.kind === 'text' && (name === 'style' || name === 'model_id');
}

/** Later steps that name an unknown task: they have all fields, and cost nothing. */
function laterBodies(id: string): Body[] {
  const step = { model: id, parent_task_id: 'task_of_nobody' };
  if (id === 'journey-v7') return laterSteps.map((action) => ({ ...step, action, index: 1 }));
  if (id !== 'song-v5') return [];
  const action = songActions.find(({ parent }) => parent === 'one')?.name;
  return [{ ...step, action, prompt, duration: 60 }];
}

/** What the tables say of the values of a model's fields. */
function valuesFor(id: string, { link }: MediaMaterial): KnownValue[] {
  const sources = { text: prompt, link };
  const own = fieldsOf(id).flatMap(({ name, form, required }): KnownValue[] => [
    ...valuesOf(form, sources).map(({ value, verdict }) => ({
      field: name,
      value,
      verdict: verdict === 'either' ? ('open' as const) : verdict,
    })),
    ...(required ? [{ field: name, value: absent, verdict: 'refuse' as const }] : []),
  ]);
  const model: KnownValue[] = [absent, 7, true, [], {}].map((value) => ({
    field: 'model',
    value,
    verdict: 'refuse',
  }));
  const target: KnownValue[] = [7, true, {}].map((value) => ({
    field: 'webhook_url',
    value,
    verdict: 'refuse',
  }));
  return [...own, ...model, ...target];
}
