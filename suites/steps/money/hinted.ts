import type { Target } from '../../engine/parts/target.ts';
import type { JsonObject } from '../../engine/requests.ts';
import type { Scene } from '../../engine/scene.ts';
import { chatModel } from '../../oracle/chat-catalogue.ts';
import { type ContentBlock, textBlock } from '../../oracle/sample-images.ts';
import { Untestable } from '../../rules/violation.ts';
import type { Rng } from '../../values/seed.ts';
import { promptOfWords } from '../chat/leave-stream.ts';

/** A cache hint as the specification defines it. */
interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

interface HintedBlock extends ContentBlock {
  readonly cache_control?: CacheControl;
}

/**
 * The number of words in a prompt that is long enough for every known cache. The shortest prefixes that caches accept are
 * 1024 to 4096 tokens.
 */
const longEnough = 5_000;

/** The enabled models with the capability Cache. */
export function cacheModels(target: Target): readonly string[] {
  const models = target.models.filter((id) => chatModel(id)?.cache === true);
  if (models.length === 0) throw new Untestable('models.enabled with a beta-* model');
  return models;
}

/** A block or a tool with a cache hint. `ttl` null uses the default lifetime of the cache entry. */
export function hinted<T extends object>(
  block: T,
  ttl: '5m' | '1h' | null = null,
): T & { readonly cache_control: CacheControl } {
  return { ...block, cache_control: { type: 'ephemeral', ...(ttl === null ? {} : { ttl }) } };
}

/** A request whose prompt begins with a long text that is unique to the scene, and that a cache may keep. */
export function longRequest(
  rng: Rng,
  scene: Scene,
  model: string,
  mark: (block: ContentBlock) => HintedBlock,
): JsonObject {
  const text = `${scene.prompt('This is a long poem.')} ${promptOfWords(rng, longEnough)}`;
  const content = [mark(textBlock(text)), textBlock('What is it about?')];
  return { model, max_tokens: 16, messages: [{ role: 'user', content }] };
}
