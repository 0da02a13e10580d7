import { fileURLToPath } from 'node:url';
import {
  API,
  type Checker,
  type IndexInfo,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync';

/** The possible values of a request type. Functions and members that accept no value are omitted. */
export type Shape =
  | { readonly is: 'literal'; readonly value: string | number | boolean | null }
  | { readonly is: 'string' | 'number' | 'boolean' | 'any' }
  | { readonly is: 'list'; readonly of: Shape }
  | { readonly is: 'map'; readonly of: Shape }
  | { readonly is: 'one-of'; readonly shapes: readonly Shape[] }
  | ObjectShape;

export interface ObjectShape {
  readonly is: 'object';
  /** The name of the type in the declaration file. */
  readonly name: string;
  /** The same number for each use of the same type. */
  readonly id: number;
  /** Read on demand: types contain themselves. */
  members(): readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly isOptional: boolean;
  readonly shape: Shape;
}

const roots = `
import type OpenAI from 'openai';
import type Anthropic from '@anthropic-ai/sdk';
import type { CountTokensParameters, GenerateContentParameters } from '@google/genai';
import type OpenAI6 from 'openai-6';
import type Anthropic1 from 'anthropic-sdk-1';
import type { CountTokensParameters as Count3, GenerateContentParameters as Generate3, GenerateContentResponse as Generated } from 'google-genai-3';
export type Completions = OpenAI.ChatCompletionCreateParamsNonStreaming;
export type StreamedCompletions = OpenAI.ChatCompletionCreateParamsStreaming;
export type Responses = OpenAI.Responses.ResponseCreateParamsNonStreaming;
export type Embeddings = OpenAI.EmbeddingCreateParams;
export type Messages = Anthropic.MessageCreateParamsNonStreaming;
export type StreamedMessages = Anthropic.MessageCreateParamsStreaming;
export type CountedMessages = Anthropic.MessageCountTokensParams;
export type BetaMessages = Anthropic.Beta.MessageCreateParamsNonStreaming;
export type BetaCountedMessages = Anthropic.Beta.MessageCountTokensParams;
export type Generate = GenerateContentParameters;
export type Count = CountTokensParameters;
export type PreviousCompletions = OpenAI6.ChatCompletionCreateParamsNonStreaming;
export type CurrentMessages = Anthropic1.MessageCreateParamsNonStreaming;
export type CurrentCountedMessages = Anthropic1.MessageCountTokensParams;
export type CurrentBetaMessages = Anthropic1.Beta.MessageCreateParamsNonStreaming;
export type CurrentBetaCountedMessages = Anthropic1.Beta.MessageCountTokensParams;
export type CurrentGenerate = Generate3;
export type CurrentCount = Count3;
export type ChatAnswer = OpenAI.ChatCompletion;
export type ChatEvent = OpenAI.ChatCompletionChunk;
export type MessageAnswer = Anthropic1.Message;
export interface MessageEvent { event: Anthropic1.RawMessageStreamEvent }
export type GenerateAnswer = Generated;
`;

/** The request and answer types to walk, by their names in the source above. */
export type RootName =
  | 'Completions'
  | 'StreamedCompletions'
  | 'Responses'
  | 'Embeddings'
  | 'Messages'
  | 'StreamedMessages'
  | 'CountedMessages'
  | 'BetaMessages'
  | 'BetaCountedMessages'
  | 'Generate'
  | 'Count'
  | 'PreviousCompletions'
  | 'CurrentMessages'
  | 'CurrentCountedMessages'
  | 'CurrentBetaMessages'
  | 'CurrentBetaCountedMessages'
  | 'CurrentGenerate'
  | 'CurrentCount'
  | 'ChatAnswer'
  | 'ChatEvent'
  | 'MessageAnswer'
  | 'MessageEvent'
  | 'GenerateAnswer';

const folder = fileURLToPath(new URL('./request-types/', import.meta.url));
const config = `${folder}tsconfig.json`;
const source = `${folder}roots.ts`;
const options = {
  strict: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom'],
  types: ['node'],
};
/** Virtual files for the compiler. All other files come from the disk. */
const files: Readonly<Record<string, string>> = {
  [config]: JSON.stringify({ compilerOptions: { ...options, skipLibCheck: true }, files: ['roots.ts'] }),
  [source]: roots,
};

/** The compiler's view of the declaration files of the installed clients. */
export class RequestTypes {
  readonly #api: API;
  readonly #checker: Checker;
  readonly #roots: ReadonlyMap<string, Type>;
  readonly #shapes = new Map<number, Shape | null>();

  constructor() {
    this.#api = new API({
      fs: {
        readFile: (file) => files[file],
        fileExists: (file) => (file in files ? true : undefined),
        directoryExists: (name) => (`${name}/` === folder ? true : undefined),
      },
    });
    const project = this.#api.updateSnapshot({ openProjects: [config] }).getProject(config);
    const file = project?.program.getSourceFile(source);
    if (project === undefined || file === undefined) throw new Error('the compiler has no such project');
    const [wrong] = project.program.getSemanticDiagnostics(source);
    if (wrong !== undefined) throw new Error(wrong.text);
    this.#checker = project.checker;
    const module = this.#checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error('the compiler sees no exports');
    this.#roots = new Map(
      this.#checker
        .getExportsOfModule(module)
        .map((symbol) => [symbol.name, this.#checker.getDeclaredTypeOfSymbol(symbol)]),
    );
  }

  /** @throws Error when the package no longer has the type. */
  root(name: RootName): ObjectShape {
    const type = this.#roots.get(name);
    const shape = type === undefined || type.isErrorType() ? null : this.#shapeOf(type);
    if (shape?.is !== 'object') throw new Error(`${name} is no object type`);
    return shape;
  }

  close(): void {
    this.#api.close();
  }

  #shapeOf(type: Type): Shape | null {
    const known = this.#shapes.get(type.id);
    if (known !== undefined) return known;
    const shape = this.#read(type);
    this.#shapes.set(type.id, shape);
    return shape;
  }

  #read(type: Type): Shape | null {
    if (type.isErrorType()) throw new Error('a type of the declaration files cannot be read');
    if (type.isLiteralType()) return { is: 'literal', value: literalOf(type.value) };
    if (type.isUnionType()) return oneOf(type.getTypes().flatMap((one) => this.#shapeOf(one) ?? []));
    if (type.flags & (TypeFlags.StringLike | TypeFlags.TemplateLiteral)) return { is: 'string' };
    if (type.flags & TypeFlags.NumberLike) return { is: 'number' };
    if (type.flags & TypeFlags.BooleanLike) return { is: 'boolean' };
    if (type.flags & TypeFlags.Null) return { is: 'literal', value: null };
    if (type.flags & TypeFlags.AnyOrUnknown) return { is: 'any' };
    if (type.isIntersectionType()) return this.#readIntersection(type.getTypes(), type);
    return type.isObjectType() ? this.#readObject(type) : null;
  }

  /** `string & {}`: a string type with completions in editors. */
  #readIntersection(parts: readonly Type[], type: Type): Shape | null {
    const plain = parts.map((part) => this.#shapeOf(part)).find((shape) => shape?.is === 'string');
    return plain ?? this.#readObject(type);
  }

  #readObject(type: Type): Shape | null {
    const checker = this.#checker;
    if (checker.isArrayLikeType(type) && type.isTypeReference()) {
      const [element] = checker.getTypeArguments(type);
      const of = element === undefined ? null : this.#shapeOf(element);
      return of === null ? null : { is: 'list', of };
    }
    const properties = checker.getPropertiesOfType(type);
    const [index] = checker.getIndexInfosOfType(type);
    if (index !== undefined && properties.length === 0) return { is: 'map', of: this.#valueOf(index) };
    const name = type.getSymbol()?.name ?? type.getAliasSymbol()?.name ?? '?';
    let members: readonly Member[] | undefined;
    const read = (): readonly Member[] => {
      members ??= properties.flatMap((property) => {
        const of = checker.getTypeOfSymbol(property);
        const shape = of === undefined ? null : this.#shapeOf(of);
        if (shape === null || property.flags & SymbolFlags.Method) return [];
        return [{ name: property.name, isOptional: (property.flags & SymbolFlags.Optional) !== 0, shape }];
      });
      return members;
    };
    return { is: 'object', name, id: type.id, members: read };
  }

  #valueOf(index: IndexInfo): Shape {
    return this.#shapeOf(index.valueType) ?? { is: 'any' };
  }
}

function literalOf(value: string | number | boolean | bigint): string | number | boolean {
  return typeof value === 'bigint' ? Number(value) : value;
}

function oneOf(shapes: readonly Shape[]): Shape | null {
  const all = shapes.flatMap((shape) => (shape.is === 'one-of' ? shape.shapes : [shape]));
  // In a union with `string`, literals are suggestions only, such as names of models or betas.
  const isOpen = all.some(({ is }) => is === 'string');
  const flat = all.filter((shape) => !(isOpen && shape.is === 'literal' && typeof shape.value === 'string'));
  const [only] = flat;
  if (only === undefined) return null;
  return flat.length === 1 ? only : { is: 'one-of', shapes: flat };
}
