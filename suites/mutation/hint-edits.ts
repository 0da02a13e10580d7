import { chatModel } from '../oracle/chat-catalogue.ts';
import { type Body, forwards, messagesIn } from './defects.ts';
import type { Mutation } from './mutation.ts';
import { hintedIn } from './native-marks.ts';

/** Gateways that are wrong about cache hints, or about what an upstream read from its cache. */

export const honours = (body: Body): boolean => chatModel(String(body.model))?.cache === true;

export const isHinted = (body: Body): boolean => hintedIn(body).length > 0;

export const hasImageHint = (body: Body): boolean =>
  hintedIn(body).some((block) => block.type === 'image_url' || block.type === 'image');

export const drop = (block: Body): void => {
  delete block.cache_control;
};

/** Changes the bodies that go to the paths of one dialect. */
export function toDialect(path: RegExp, edit: (body: Body) => void): Mutation {
  const { request: change } = forwards(edit);
  return { request: (request) => (path.test(request.path) && change ? change(request) : request) };
}

/** Hints on turns, at upstreams that know none. */
export const hintsTurns = toDialect(/\/chat\/completions$/, (body) => {
  for (const message of messagesIn(body)) message.cache_control = { type: 'ephemeral' };
});
