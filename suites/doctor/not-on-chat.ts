import { saysWhole } from 'gatecheck-reports/symptoms';
import type { Exchange } from '../wire/exchange.ts';
import { type Asking, callOf, type KeyPlace, statusOf } from './ask-interface.ts';
import { guessedRoles } from './guess-roles.ts';

/** How many models are tried. */
const mostTried = 2;

/**
 * The models of the messages protocol that chat completions refuse by their names. Two are tried by a free call with a wrong
 * field; if both are refused, so are the others of their kind.
 * @param unknown the refusal of an unknown model
 */
export async function notOnChat(
  asking: Asking,
  models: readonly string[],
  {
    prefix,
    keyPlace,
    unknown,
  }: { readonly prefix: string; readonly keyPlace: KeyPlace; readonly unknown: Exchange },
): Promise<string[]> {
  const native = guessedRoles(models).flatMap(([own, like]) => (like.startsWith('beta') ? [own] : []));
  const tried = native.slice(0, mostTried);
  const refused: string[] = [];
  for (const model of tried) {
    const { path, body } = callOf('core', prefix, { model, isWrong: true });
    const answer = await asking.post(path, body, keyPlace);
    const text = answer.response?.body.toString('utf8') ?? '';
    if (statusOf(answer) === statusOf(unknown) && saysWhole(text, model) && !saysWhole(text, 'messages'))
      refused.push(model);
  }
  return refused.length === tried.length ? native : refused;
}
