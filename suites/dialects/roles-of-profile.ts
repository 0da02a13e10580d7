import type { Profile } from '../profile/profile.ts';

/** A profile with its model facts under the roles of its models, as checks expect them. */
export function inRoles(profile: Profile, roleOf: (own: string) => string): Profile {
  const { models, chat, upstream, pricing } = profile;
  const all = <T extends readonly string[] | undefined>(ids: T): T => ids?.map(roleOf) as unknown as T;
  const keyed = <T>(facts: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(facts).map(([id, fact]) => [roleOf(id), fact]));
  const one = (id: string | undefined): string | undefined => (id === undefined ? id : roleOf(id));
  return {
    ...profile,
    models: {
      ...models,
      ...(models.enabled && { enabled: all(models.enabled) }),
      ...(models.disabled_for_no_model && { disabled_for_no_model: roleOf(models.disabled_for_no_model) }),
    },
    chat: {
      ...chat,
      json_schema_models: all(chat.json_schema_models),
      media_models: all(chat.media_models),
    },
    pricing: {
      ...pricing,
      ...(pricing.models && { models: keyed(pricing.models) }),
    },
    ...(upstream && {
      upstream: {
        ...upstream,
        native_models: keyed(upstream.native_models),
        routes: upstream.routes.map((route) => ({
          ...route,
          model: roleOf(route.model),
          fallback: one(route.fallback),
        })),
        media_routes: upstream.media_routes.map((route) => ({ ...route, model: roleOf(route.model) })),
      },
    }),
  };
}
