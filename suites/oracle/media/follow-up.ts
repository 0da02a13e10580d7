import { isDeepStrictEqual } from 'node:util';
import { fieldsOf } from './fields.ts';
import type { MediaView } from './upstream-view.ts';

type Body = Readonly<Record<string, unknown>>;

/** Members that select the step and its parent, and are no inputs. */
const envelope = ['model', 'action', 'parent_task_id', 'parent_task_ids', 'webhook_url'];

/**
 * The first input of a step that did not reach the upstream unchanged, or that the caller did not send. Defaults and the
 * parent's own inputs may be repeated.
 */
export function followUpFault(
  body: Body,
  parent: Body,
  view: MediaView | null,
): { readonly expected: string; readonly actual: string } | null {
  if (view === null) return { expected: 'the step at the upstream', actual: 'no request with its prompt' };
  const sent = Object.keys(body).filter((name) => !envelope.includes(name));
  const changed = sent.find((name) => !isDeepStrictEqual(view.fields[name], body[name]));
  if (changed !== undefined) return fault(changed, body[changed], view.fields[changed]);
  const presets = new Map(fieldsOf(String(body.model)).map(({ name, default: preset }) => [name, preset]));
  const invented = Object.entries(view.fields).find(
    ([name, value]) =>
      !sent.includes(name) && ![presets.get(name), parent[name], ''].includes(value as string),
  );
  return invented === undefined ? null : fault(invented[0], undefined, invented[1]);
}

function fault(name: string, sent: unknown, seen: unknown): { expected: string; actual: string } {
  const [wanted, found] = [shown(sent), shown(seen)];
  const shared = [...wanted].findIndex((_, at) => wanted[at] !== found[at]);
  const from = Math.max(0, shared - 80);
  return {
    expected: `${name} from character ${from}: ${wanted.slice(from, from + 300)}`,
    actual: found.slice(from, from + 300),
  };
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
