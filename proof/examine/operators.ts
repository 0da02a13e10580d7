import type { Node, TraversalAncestors } from '@babel/types';

/** A range of the text and its replacement. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Finds the possible changes at a node: one mutant each. */
export type Operator = (node: Node, ancestors: TraversalAncestors, text: string) => Change[];

/** General mistakes that Stryker has no operator for, by name. */
export const operators: Readonly<Record<string, Operator>> = {
  DroppedStatement: (node) =>
    ['ExpressionStatement', 'ThrowStatement', 'ContinueStatement'].includes(node.type)
      ? [change(node, ';')]
      : [],

  DroppedAwait: (node, _, text) =>
    node.type === 'AwaitExpression' && plain.includes(node.argument.type)
      ? [change(node, textOf(node.argument, text))]
      : [],

  SwappedArguments: (node, _, text) => {
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return [];
    return neighbours(node.arguments as Node[]).flatMap(([one, other]) =>
      [one, other].some(({ type }) => notSwapped.includes(type)) ? [] : swap(one, other, text),
    );
  },

  WrongConstant: (node, ancestors) => {
    if (ancestors.at(-1)?.key === 'key') return [];
    if (node.type === 'NumericLiteral') return nextTo(node.value).map((value) => change(node, `${value}`));
    if (node.type === 'BigIntLiteral')
      return nextTo(Number(node.value)).map((value) => change(node, `${value}n`));
    return [];
  },

  RemovedField: (node) =>
    node.type === 'ObjectExpression' && node.properties.length > 1 ? removals(node.properties) : [],

  RemovedElement: (node) =>
    node.type === 'ArrayExpression' && node.elements.length > 1
      ? removals(node.elements.filter((one) => one !== null))
      : [],

  /** One entry of a table of protocols, dialects or codes gets the value of the next entry. */
  NeighboursValue: (node, _, text) => {
    if (node.type !== 'ObjectExpression') return [];
    const values = node.properties.flatMap((one) =>
      one.type === 'ObjectProperty' && !one.shorthand ? [one.value as Node] : [],
    );
    return neighbours(values).flatMap(([one, other]) =>
      one.type === other.type && textOf(one, text) !== textOf(other, text)
        ? [change(one, textOf(other, text))]
        : [],
    );
  },

  /** A function without a return value omits its last statement. */
  EarlyReturn: (node) => {
    if (!('body' in node) || !functions.includes(node.type)) return [];
    const { body } = node;
    if (!isNode(body) || body.type !== 'BlockStatement' || body.body.length < 2 || returnsValue(body))
      return [];
    const last = body.body.at(-1);
    return last === undefined ? [] : [{ ...change(last, 'return; '), end: startOf(last) }];
  },
};

/** Expressions that need no parentheses. */
const plain = ['CallExpression', 'MemberExpression', 'Identifier'];

/** If swapped, these fail immediately or mean the same. */
const notSwapped = ['SpreadElement', 'ArrowFunctionExpression', 'FunctionExpression', 'ArgumentPlaceholder'];

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression', 'ClassMethod'];

function change(node: Node, replacement: string): Change {
  return { start: startOf(node), end: endOf(node), replacement };
}

function startOf(node: Node): number {
  return node.start ?? 0;
}

function endOf(node: Node): number {
  return node.end ?? 0;
}

function textOf(node: Node, text: string): string {
  return text.slice(startOf(node), endOf(node));
}

function neighbours(nodes: readonly Node[]): [Node, Node][] {
  return nodes.flatMap((node, place): [Node, Node][] => {
    const next = nodes[place + 1];
    return next === undefined ? [] : [[node, next]];
  });
}

function swap(one: Node, other: Node, text: string): Change[] {
  const [left, right] = [textOf(one, text), textOf(other, text)];
  if (left === right) return [];
  const between = text.slice(endOf(one), startOf(other));
  return [{ start: startOf(one), end: endOf(other), replacement: `${right}${between}${left}` }];
}

/** The adjacent numbers; a count cannot be negative. */
function nextTo(value: number): number[] {
  if (!Number.isSafeInteger(value)) return [value * 2];
  return value > 1 ? [value + 1, value - 1] : [value + 1];
}

/** Each item left out with the comma after it; the last one with the comma before it. */
function removals(items: readonly Node[]): Change[] {
  return items.map((item, place) => {
    const [before, after] = [items[place - 1], items[place + 1]];
    if (after !== undefined) return { start: startOf(item), end: startOf(after), replacement: '' };
    return { start: before === undefined ? startOf(item) : endOf(before), end: endOf(item), replacement: '' };
  });
}

/** Whether a function with this body returns a value; nested functions do not count. */
function returnsValue(node: Node): boolean {
  if (node.type === 'ReturnStatement') return node.argument !== null && node.argument !== undefined;
  return Object.values(node)
    .flat()
    .some((part: unknown) => isNode(part) && !functions.includes(part.type) && returnsValue(part));
}

function isNode(part: unknown): part is Node {
  return part !== null && typeof part === 'object' && 'type' in part && typeof part.type === 'string';
}
