import { parse } from '@babel/parser';
import { type Node, traverse } from '@babel/types';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import type { SourceFile } from './gateway-sources.ts';
import { type Operator, operators } from './operators.ts';
import type { Spot } from './source-mutant.ts';

/**
 * The operators of Stryker, which many projects use: conditions, boundaries, empty blocks, literals and so on. Its
 * instrumenter finds the places. Its printed code is not used, because the text around a place must stay unchanged.
 */
export async function usualSpots({ path, text }: SourceFile): Promise<Spot[]> {
  const { mutants } = await new Instrumenter(silent).instrument(
    [{ name: path, mutate: true, content: text }],
    { plugins: ['typescript'], excludedMutations: [], ignorers: [], noHeader: true },
  );
  const offsetOf = offsetsIn(text);
  return mutants.map(({ mutatorName, location, replacement }) => ({
    operator: mutatorName,
    start: offsetOf(location.start),
    end: offsetOf(location.end),
    replacement,
  }));
}

/** Lines and columns are zero-based. */
function offsetsIn(text: string): (at: { readonly line: number; readonly column: number }) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return ({ line, column }) => (starts[line] ?? text.length) + column;
}

const no = (): boolean => false;
const nothing = (): void => undefined;
const silent: ConstructorParameters<typeof Instrumenter>[0] = {
  isTraceEnabled: no,
  isDebugEnabled: no,
  isInfoEnabled: no,
  isWarnEnabled: no,
  isErrorEnabled: no,
  isFatalEnabled: no,
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  fatal: nothing,
};

type Ancestors = Parameters<Operator>[1];

/** Operators that Stryker lacks: see `operators.ts`. Types are left alone, since they do not exist at run time. */
export function furtherSpots({ text }: SourceFile): Spot[] {
  const tree = parse(text, { sourceType: 'module', plugins: ['typescript'], attachComment: false });
  const spots: Spot[] = [];
  traverse(tree, (node, ancestors) => {
    if (isInType(node, ancestors)) return;
    for (const [operator, find] of Object.entries(operators))
      for (const { start, end, replacement } of find(node, ancestors, text))
        spots.push({ operator, start, end, replacement });
  });
  return spots;
}

/** Whether Node can parse the file with this change. */
export function isReadable(text: string): boolean {
  try {
    parse(text, { sourceType: 'module', plugins: ['typescript'], attachComment: false });
    return true;
  } catch {
    return false;
  }
}

/** TypeScript nodes that wrap a value. */
const aroundValues = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

function isInType(node: Node, ancestors: Ancestors): boolean {
  return [node, ...ancestors.map((one) => one.node)].some(
    ({ type }) =>
      (type.startsWith('TS') && !aroundValues.includes(type)) ||
      type === 'ImportDeclaration' ||
      type === 'ExportAllDeclaration',
  );
}
