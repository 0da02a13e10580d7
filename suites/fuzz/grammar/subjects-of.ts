import { chatModel } from '../../oracle/chat-catalogue.ts';
import { modelsRoute, readRoute } from '../../oracle/core-routes.ts';
import type { Medium } from '../../oracle/media/fields.ts';
import type { Profile } from '../../profile/profile.ts';
import { chatSubject } from './chat-subject.ts';
import { generateSubject } from './generate-subject.ts';
import { KnownValues } from './known-values.ts';
import { type MediaMaterial, mediaSubject } from './media-subject.ts';
import { messagesSubject } from './messages-subject.ts';
import { type DraftRequest, type Endpoint, keySlot, type Subject } from './subject.ts';

/** The models of a deployment, as the first requests found them. */
export interface Served {
  readonly models: readonly string[];
  readonly mediaModels: readonly string[];
}

/** Everything in the specification that a deployment can be sent: each endpoint with each of its models. */
export function subjectsOf(profile: Profile, { models, mediaModels }: Served): readonly Subject[] {
  const of = (family: string): readonly string[] =>
    models.filter((model) => chatModel(model)?.family === family);
  const has = (fact: string): boolean => !profile.absent.includes(fact);
  const material = materialOf(profile);
  return [
    ...models.map(chatSubject),
    ...(has('compat.a') ? of('beta').map(messagesSubject) : []),
    ...(has('compat.b') ? of('gamma').map(generateSubject) : []),
    ...mediaModels.map((id) => mediaSubject(id, material)),
    ...readSubjects.filter(({ endpoint }) => endpoint === 'models' || mediaModels.length > 0),
  ];
}

/** Without declared files, links lead nowhere, so that media requests cost nothing. */
function materialOf({ media }: Profile): MediaMaterial {
  const files: Readonly<Record<Medium, readonly string[]>> = {
    image: media.image_urls,
    video: media.video_urls,
    audio: media.audio_urls,
  };
  const ending = { image: 'jpg', video: 'mp4', audio: 'mp3' } as const;
  return {
    link: (medium) => files[medium][0] ?? `https://media.example.com/files/sea.${ending[medium]}`,
    voiceId: media.voice_ids[0] ?? 'calm-1',
    webhookUrl: 'https://hooks.example.com/fuzz',
  };
}

/** The endpoints that take no body: only their path, query and headers can be damaged. */
export const readSubjects: readonly Subject[] = [
  readSubject('task read', readRoute.path),
  readSubject('models', modelsRoute.path),
];

function readSubject(endpoint: Endpoint, path: string): Subject {
  return {
    ...{ endpoint, model: null, fields: [], least: null, whole: [], streams: false },
    known: new KnownValues([]),
    draw: () => ({}),
    request: (): DraftRequest => ({
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${keySlot}` },
      body: Buffer.alloc(0),
    }),
    sureFault: () => (body) => body,
  };
}
