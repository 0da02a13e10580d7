import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { mediaModels } from '../oracle/media/models.ts';
import { UsageError } from '../process/exit-codes.ts';
import type { Profile } from '../profile/profile.ts';
import { meant } from '../values/nearest.ts';
import { type Exchange, errorCodeOf } from '../wire/exchange.ts';

/** The most models that are asked for. */
const most = 40;

/**
 * Refuses models of `upstream` that the deployment neither lists nor knows: their checks would all fail for the name alone. A
 * list that lacks a model may be the deployment's defect, so each such model is asked for, too.
 * @param listed ids that the deployment lists; without any, nothing is refused
 * @param ask sends a chat request that has the model and no messages: a free one
 * @throws UsageError with the member, the name and the nearest known one
 */
export async function assertServedModels(
  profile: Profile,
  listed: readonly string[],
  ask: (model: string) => Promise<Exchange>,
): Promise<void> {
  if (listed.length === 0) return;
  const known = [...listed, ...profile.chat.extra_models.map(({ id }) => id)];
  const roles = [...chatCatalogue, ...mediaModels].map(({ id }) => id);
  const unlisted = modelsOfUpstream(profile).filter(([, id]) => ![...known, ...roles].includes(id));
  const faults: string[] = [];
  for (const id of [...new Set(unlisted.map(([, one]) => one))].slice(0, most)) {
    if (errorCodeOf(await ask(id)) !== 'model_not_found') continue;
    const members = unlisted.filter(([, one]) => one === id).map(([member]) => member);
    const names = known.map((role) => ownName(profile, role));
    faults.push(`${members.join(', ')}: ${id}${meant(id, names)}`);
  }
  if (faults.length > 0)
    throw new UsageError(`the profile names models that the deployment does not have: ${faults.join('; ')}`);
}

/** The deployment's own name of the model in a role. */
function ownName({ dialect }: Profile, role: string): string {
  return Object.entries(dialect?.models ?? {}).find(([, { like }]) => like === role)?.[0] ?? role;
}

/** The models that `upstream` names, each with its member. */
function modelsOfUpstream({ upstream }: Profile): [member: string, id: string][] {
  if (upstream === undefined) return [];
  const { native_models: natives, routes, media_routes: media, broken_listeners: broken } = upstream;
  const all: [string, string | undefined][] = [
    ...Object.keys(natives).map((id): [string, string] => ['upstream.native_models', id]),
    ...routes.flatMap(({ model, fallback }, k): [string, string | undefined][] => [
      [`upstream.routes[${k}].model`, model],
      [`upstream.routes[${k}].fallback`, fallback],
    ]),
    ...media.map(({ model }, k): [string, string] => [`upstream.media_routes[${k}].model`, model]),
    ...Object.entries(broken).flatMap(([name, { alone, spared }]): [string, string][] => [
      [`upstream.broken_listeners.${name}.alone`, alone],
      [`upstream.broken_listeners.${name}.spared`, spared],
    ]),
  ];
  return all.flatMap(([member, id]) => (id === undefined ? [] : [[member, id] as [string, string]]));
}
