import { expect, it } from 'vitest';
import { type ProfileInput, profileSchema } from '../profile/profile.ts';
import { exchangeOf } from '../testing/sample-answers.ts';
import { assertServedModels } from './served-models.ts';

type Upstream = NonNullable<ProfileInput['upstream']>;

/** What a deployment that lists `own-pair`, and also serves `hidden`, says of these models. */
function judged(
  upstream: Omit<Upstream, 'control'>,
  listed: readonly string[] = ['own-pair'],
): Promise<void> {
  const profile = profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'k' },
    upstream: { control: 'http://127.0.0.1:2', ...upstream },
  });
  return assertServedModels(profile, listed, async (model) => {
    const [status, code] = model === 'hidden' ? [400, 'invalid_param'] : [404, 'model_not_found'];
    return exchangeOf(JSON.stringify({ error: { code } }), { status });
  });
}

const route = (model: string): NonNullable<Upstream['routes']>[number] => ({
  model,
  kind: 'pair',
  channels: [
    { name: 'east', dialect: 'chat-completions' },
    { name: 'west', dialect: 'chat-completions' },
  ],
});

it.each<[string, Omit<Upstream, 'control'>, RegExp]>([
  [
    'a route',
    { routes: [route('own-pair'), route('own-pare')] },
    /upstream\.routes\[1\]\.model: own-pare \(did you mean own-pair\?\)/,
  ],
  ['a native name', { native_models: { 'own-piar': 'x' } }, /upstream\.native_models: own-piar/],
  [
    'a broken listener',
    { broken_listeners: { refused: { alone: 'own-pair', spared: 'own-pear' } } },
    /upstream\.broken_listeners\.refused\.spared: own-pear/,
  ],
])('the model of %s that the deployment neither lists nor knows is refused', async (_, upstream, words) => {
  await expect(judged(upstream)).rejects.toThrow(words);
});

it('a model that is served is accepted, listed or not', async () => {
  await judged({ routes: [route('own-pair'), route('hidden')], native_models: { 'delta-3': 'd3' } });
});

it("the nearest name is the deployment's own", async () => {
  const profile = profileSchema.parse({
    base_url: 'http://127.0.0.1:1',
    keys: { K1: 'k' },
    dialect: { models: { 'acme-large': { like: 'delta-3' } } },
    upstream: { control: 'http://127.0.0.1:2', routes: [route('acme-larg')] },
  });
  const unknown = exchangeOf('{"error":{"code":"model_not_found"}}', { status: 404 });
  await expect(assertServedModels(profile, ['delta-3'], async () => unknown)).rejects.toThrow(
    'acme-larg (did you mean acme-large?)',
  );
});

it('nothing is refused where the deployment lists no model at all', async () => {
  await judged({ routes: [route('own-pare')] }, []);
});
