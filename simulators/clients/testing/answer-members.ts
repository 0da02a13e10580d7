import type { RequestTypes, RootName, Shape } from './request-types.ts';

/** The answers whose members are listed, and the path prefix to omit. */
const answers: Readonly<Record<string, readonly [root: RootName, prefix: string]>> = {
  'chat-completions plain': ['ChatAnswer', ''],
  'chat-completions stream': ['ChatEvent', ''],
  'messages plain': ['MessageAnswer', ''],
  'messages stream': ['MessageEvent', 'event.'],
  'generate-content plain': ['GenerateAnswer', ''],
};

/** Deeper members are those of schemas, which contain themselves. */
const maxDepth = 5;

/**
 * Every member that the installed clients declare for an answer, a line for each object: the kind of answer, the path of the
 * object, then the types of its members.
 */
export function answerMembers(types: RequestTypes): string {
  const lines = Object.entries(answers).flatMap(([answer, [root, prefix]]) => {
    const found = new Map<string, Set<string>>();
    walk(types.root(root), '', found, 0);
    const members = [...found].flatMap(([path, kinds]) => {
      if (!path.startsWith(prefix) || path.startsWith('sdkHttpResponse')) return [];
      const [, holder = '', name = ''] = /^(?:(.*)\.)?([^.]+)$/.exec(path.slice(prefix.length)) ?? [];
      return [{ holder, text: `${name}=${[...kinds].toSorted().join('|')}` }];
    });
    return [...Map.groupBy(members, ({ holder }) => holder)]
      .map(
        ([holder, all]) =>
          `${answer} ${holder}: ${all
            .map(({ text }) => text)
            .toSorted()
            .join(' ')}`,
      )
      .toSorted();
  });
  return `${lines.join('\n')}\n`;
}

function walk(shape: Shape, path: string, found: Map<string, Set<string>>, depth: number): void {
  if (shape.is === 'one-of') {
    for (const one of shape.shapes) walk(one, path, found, depth);
    return;
  }
  if (path !== '') found.set(path, (found.get(path) ?? new Set<string>()).add(typeOf(shape)));
  if (shape.is === 'list') walk(shape.of, `${path}[]`, found, depth);
  if (shape.is !== 'object' || depth >= maxDepth) return;
  for (const { name, shape: of } of shape.members())
    walk(of, path === '' ? name : `${path}.${name}`, found, depth + 1);
}

function typeOf(shape: Shape): string {
  if (shape.is !== 'literal') return shape.is;
  return shape.value === null ? 'null' : typeof shape.value;
}
