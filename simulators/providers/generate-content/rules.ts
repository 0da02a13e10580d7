import { badField, badRequest, type NativeError, unknownCache } from './errors.ts';
import { isServedMedium } from './media.ts';
import { fieldPath } from './proto-json.ts';
import {
  type Content,
  type FunctionDeclaration,
  type GenerateRequest,
  type GenerationConfig,
  type Part,
  partKinds,
} from './request.ts';

/** The first rule that a value of the request violates, in the order of its members; null when there is none. */
export function findBrokenRule(
  request: GenerateRequest,
  maxOutputTokens: number,
  isStrict = false,
): NativeError | null {
  const { contents = [], systemInstruction, cachedContent, generationConfig = {} } = request;
  if (cachedContent !== undefined) return unknownCache();
  if (contents.length === 0) return badField('contents', 'contents is not specified');
  return (
    first(contents, (content, at) => brokenContent(content, ['contents', at], isStrict)) ??
    brokenInstruction(systemInstruction) ??
    brokenTools(request) ??
    brokenConfig(generationConfig, maxOutputTokens)
  );
}

function brokenContent(
  { role = 'user', parts = [] }: Content,
  path: readonly PropertyKey[],
  isStrict: boolean,
): NativeError | null {
  // An older name for the role of user turns with responses.
  const isFunction = role === 'function' && !isStrict;
  if (role !== 'user' && role !== 'model' && !isFunction)
    return badRequest('The role is not valid. Use one of: user, model.');
  if (parts.length === 0) return badField(fieldPath([...path, 'parts']), 'parts must not be empty');
  return first(parts, (part, at) => brokenPart(part, role, [...path, 'parts', at]));
}

function brokenPart(part: Part, role: string, path: readonly PropertyKey[]): NativeError | null {
  const bad = (member: string, reason: string): NativeError => badField(fieldPath([...path, member]), reason);
  const { inlineData, fileData, functionCall, functionResponse } = part;
  if (partKinds.every((kind) => part[kind] === undefined)) {
    return bad('data', 'a part needs a content');
  }
  if (inlineData !== undefined) return brokenBlob(inlineData, bad);
  if (fileData !== undefined) return brokenFile(fileData, bad);
  if (functionCall !== undefined) {
    if (!functionCall.name) return bad('functionCall', 'the name must not be empty');
    if (role !== 'model') return bad('functionCall', 'a function call goes only into a turn of the model');
  }
  if (functionResponse !== undefined) {
    if (!functionResponse.name) return bad('functionResponse', 'the name must not be empty');
    if (functionResponse.response === undefined) return bad('functionResponse', 'there is no response');
    if (role === 'model')
      return bad('functionResponse', 'a function response goes only into a turn of the user');
  }
  return null;
}

type Bad = (member: string, reason: string) => NativeError;

function brokenBlob({ mimeType, data }: NonNullable<Part['inlineData']>, bad: Bad): NativeError | null {
  if (!mimeType) return bad('inlineData', 'the mime type must not be empty');
  if (!isServedMedium(mimeType)) return badRequest(`Unsupported MIME type: ${mimeType}`);
  return data ? null : bad('inlineData', 'the data must not be empty');
}

function brokenFile({ mimeType, fileUri = '' }: NonNullable<Part['fileData']>, bad: Bad): NativeError | null {
  if (!/^(https?|gs):\/\/./i.test(fileUri)) return badRequest('This file uri cannot be read.');
  if (mimeType && !isServedMedium(mimeType)) return badRequest(`Unsupported MIME type: ${mimeType}`);
  return mimeType === '' ? bad('fileData', 'the mime type must not be empty') : null;
}

function brokenInstruction(instruction: Content | undefined): NativeError | null {
  if (instruction === undefined) return null;
  const { parts = [] } = instruction;
  return parts.length > 0 && parts.every(({ text }) => text !== undefined)
    ? null
    : badField('system_instruction', 'parts must be texts, at least one');
}

const functionName = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

function brokenTools({ tools = [], toolConfig }: GenerateRequest): NativeError | null {
  const seen = new Set<string>();
  const broken = first(tools, ({ functionDeclarations = [] }, tool) =>
    first(functionDeclarations, (declaration, at) => {
      const path = ['tools', tool, 'functionDeclarations', at];
      return brokenDeclaration(declaration, seen, (member, reason) =>
        badField(fieldPath([...path, member]), reason),
      );
    }),
  );
  if (broken !== null) return broken;
  const { mode, allowedFunctionNames: allowed = [] } = toolConfig?.functionCallingConfig ?? {};
  if (mode === 'ANY' && seen.size === 0) {
    return badRequest('The function calling mode ANY needs function declarations.');
  }
  if (allowed.length > 0 && mode !== 'ANY' && mode !== 'VALIDATED') {
    return badRequest('Allowed function names go only with the function calling mode ANY.');
  }
  const unknown = allowed.find((name) => !seen.has(name));
  return unknown === undefined
    ? null
    : badRequest(`The allowed function name "${unknown}" is not among the function declarations.`);
}

function brokenDeclaration(
  { name = '', parameters, parametersJsonSchema }: FunctionDeclaration,
  seen: Set<string>,
  bad: Bad,
): NativeError | null {
  if (!functionName.test(name)) {
    const allowed = 'letters, digits, "_", ".", ":" or "-", at most 128, the first one a letter or "_"';
    return bad('name', `Invalid function name: ${allowed}.`);
  }
  if (seen.has(name)) return badRequest(`The function declaration "${name}" comes twice.`);
  seen.add(name);
  return parameters !== undefined && parametersJsonSchema !== undefined
    ? bad('parameters', 'parameters and parameters_json_schema exclude each other')
    : null;
}

function brokenConfig(config: GenerationConfig, maxOutputTokens: number): NativeError | null {
  const bad = (member: string, reason: string): NativeError =>
    badField(fieldPath(['generationConfig', member]), reason);
  return (
    brokenRange(config, maxOutputTokens, bad) ??
    brokenStops(config.stopSequences ?? [], bad) ??
    brokenFormat(config, bad)
  );
}

function brokenRange(config: GenerationConfig, maxOutputTokens: number, bad: Bad): NativeError | null {
  const ranges: [keyof GenerationConfig, number | undefined, number, number][] = [
    ['temperature', config.temperature, 0, 2],
    ['topP', config.topP, 0, 1],
    ['topK', config.topK, 1, Number.MAX_SAFE_INTEGER],
    ['maxOutputTokens', config.maxOutputTokens, 1, maxOutputTokens],
    ['presencePenalty', config.presencePenalty, -2, 2],
    ['frequencyPenalty', config.frequencyPenalty, -2, 2],
  ];
  const outside = ranges.find(
    ([, value, min, max]) => value !== undefined && !(value >= min && value <= max),
  );
  if (outside !== undefined) {
    const [member, value, min, max] = outside;
    return bad(member, `${value} is not in the range [${min}, ${max}].`);
  }
  const { candidateCount = 1 } = config;
  if (candidateCount < 1 || candidateCount > 8)
    return bad('candidateCount', 'it must be in the range [1, 8].');
  return candidateCount > 1 ? badRequest('This model gives no more than one candidate.') : null;
}

function brokenStops(stops: readonly string[], bad: Bad): NativeError | null {
  if (stops.length > 5) return bad('stopSequences', 'there may be at most 5 stop sequences.');
  return stops.includes('') ? bad('stopSequences', 'a stop sequence must not be empty.') : null;
}

function brokenFormat(config: GenerationConfig, bad: Bad): NativeError | null {
  const { responseMimeType: mimeType = '', responseSchema, responseJsonSchema } = config;
  if (!['', 'text/plain', 'application/json'].includes(mimeType)) {
    return bad('responseMimeType', `"${mimeType}" is not supported: text/plain and application/json are.`);
  }
  if (responseSchema === undefined && responseJsonSchema === undefined) return null;
  if (responseSchema !== undefined && responseJsonSchema !== undefined) {
    return bad('responseSchema', 'response_schema and response_json_schema exclude each other.');
  }
  return mimeType === 'application/json'
    ? null
    : bad('responseMimeType', 'a response schema needs the type application/json.');
}

function first<T>(
  items: readonly T[],
  find: (item: T, at: number) => NativeError | null,
): NativeError | null {
  for (const [at, item] of items.entries()) {
    const found = find(item, at);
    if (found !== null) return found;
  }
  return null;
}
