import { parse } from '@babel/parser';
import { type Node, traverse } from '@babel/types';
import type { SourceFile } from './gateway-sources.ts';
import { type Operator, operators } from './operators.ts';
import type { Spot } from './source-mutant.ts';

type Ancestors = Parameters<Operator>[1];

/** What Stryker's operators lack: see `operators.ts`. Types are left alone, since they are gone when the gateway runs. */
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

/** Whether Node can still read the file when the spot is changed. */
export function isReadable(text: string): boolean {
  try {
    parse(text, { sourceType: 'module', plugins: ['typescript'], attachComment: false });
    return true;
  } catch {
    return false;
  }
}

/** Forms of TypeScript that stand around a value. */
const aroundValues = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'];

function isInType(node: Node, ancestors: Ancestors): boolean {
  return [node, ...ancestors.map((one) => one.node)].some(
    ({ type }) =>
      (type.startsWith('TS') && !aroundValues.includes(type)) ||
      type === 'ImportDeclaration' ||
      type === 'ExportAllDeclaration',
  );
}
