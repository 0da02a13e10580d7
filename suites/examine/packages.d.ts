/**
 * The few types of three packages that this folder uses, so that a checkout passes the type check before `npm ci` has
 * brought them. With the packages installed everywhere this file can go: the code fits their own types as well.
 */
declare module '@babel/types' {
  interface Place {
    start?: number | null;
    end?: number | null;
  }
  interface Shapes {
    CallExpression: { arguments: Node[] };
    NewExpression: { arguments: Node[] };
    AwaitExpression: { argument: Node };
    NumericLiteral: { value: number };
    BigIntLiteral: { value: string };
    ObjectExpression: { properties: Node[] };
    ObjectProperty: { value: Node; shorthand: boolean };
    ArrayExpression: { elements: (Node | null)[] };
    ReturnStatement: { argument?: Node | null };
    BlockStatement: { body: Node[] };
    ClassMethod: { body: Node };
    ImportDeclaration: { kind?: string };
    ExportAllDeclaration: { kind?: string };
  }
  export type Node = { [Type in keyof Shapes]: Place & { type: Type } & Shapes[Type] }[keyof Shapes];
  export type TraversalAncestors = { node: Node; key: string; index?: number }[];
  export function traverse(node: Node, handler: (node: Node, ancestors: TraversalAncestors) => void): void;
}

declare module '@babel/parser' {
  export function parse(
    text: string,
    options: { sourceType: 'module'; plugins: 'typescript'[]; attachComment: boolean },
  ): import('@babel/types').Node;
}

declare module '@stryker-mutator/instrumenter' {
  interface Position {
    line: number;
    column: number;
  }
  export class Instrumenter {
    constructor(logger: Record<string, () => unknown>);
    instrument(
      files: readonly { name: string; mutate: boolean; content: string }[],
      options: { plugins: string[]; excludedMutations: string[]; ignorers: never[]; noHeader: boolean },
    ): Promise<{
      mutants: readonly {
        mutatorName: string;
        replacement: string;
        location: { start: Position; end: Position };
      }[];
    }>;
  }
}
