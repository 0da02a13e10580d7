import { z } from 'zod';
import { bytes, int32, int64, type ParsedPayload, parsePayload, struct } from './proto-json.ts';

/** The members of `:generateContent` and `:streamGenerateContent`. All others are rejected. */
export type GenerateRequest = z.infer<typeof generateSchema>;
export type Content = z.infer<typeof content>;
export type Part = z.infer<typeof part>;
export type Tool = z.infer<typeof tool>;
export type FunctionDeclaration = z.infer<typeof functionDeclaration>;
export type GenerationConfig = z.infer<typeof generationConfig>;

/** `:countTokens` accepts the contents alone, or the whole request that contains them. */
export type CountRequest = z.infer<typeof countSchema>;

/** Reads names and types only; `rules.ts` and `turns.ts` check the values. */
export function parseGenerate(body: Buffer): ParsedPayload<GenerateRequest> {
  return parsePayload(generateSchema, body);
}

export function parseCount(body: Buffer): ParsedPayload<CountRequest> {
  return parsePayload(countSchema, body);
}

/** The members that hold a part's content. A part has exactly one of them. */
export const partKinds = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'audioTranscription',
] as const;

const blob = z.strictObject({
  mimeType: z.string().exactOptional(),
  data: bytes.exactOptional(),
  displayName: z.string().exactOptional(),
});

const fileReference = z.strictObject({
  mimeType: z.string().exactOptional(),
  fileUri: z.string().exactOptional(),
  displayName: z.string().exactOptional(),
});

const functionCall = z.strictObject({
  id: z.string().exactOptional(),
  name: z.string().exactOptional(),
  args: struct.exactOptional(),
});

const functionResponse = z.strictObject({
  id: z.string().exactOptional(),
  name: z.string().exactOptional(),
  response: struct.exactOptional(),
  parts: z.array(struct).exactOptional(),
  willContinue: z.boolean().exactOptional(),
  scheduling: z.string().exactOptional(),
});

const part = z
  .strictObject({
    text: z.string().exactOptional(),
    inlineData: blob.exactOptional(),
    fileData: fileReference.exactOptional(),
    functionCall: functionCall.exactOptional(),
    functionResponse: functionResponse.exactOptional(),
    // For provider-run tools and for speech. Nothing here evaluates them.
    executableCode: struct.exactOptional(),
    codeExecutionResult: struct.exactOptional(),
    toolCall: struct.exactOptional(),
    toolResponse: struct.exactOptional(),
    audioTranscription: struct.exactOptional(),
    speechMetadata: struct.exactOptional(),
    mediaProcessing: z.string().exactOptional(),
    thought: z.boolean().exactOptional(),
    thoughtSignature: bytes.exactOptional(),
    videoMetadata: struct.exactOptional(),
    mediaResolution: struct.exactOptional(),
    partMetadata: struct.exactOptional(),
  })
  .refine((given) => partKinds.filter((kind) => given[kind] !== undefined).length <= 1, {
    message: "oneof field 'data' is set more than once",
  });

const content = z.strictObject({
  role: z.string().exactOptional(),
  parts: z.array(part).exactOptional(),
});

const schemaTypes = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** The schema language of this protocol, a subset of JSON Schema. */
const openSchema: z.ZodType<Record<string, unknown>> = z.lazy(() =>
  z.strictObject({
    type: z
      .string()
      .toLowerCase()
      .refine((type) => schemaTypes.has(type), { message: 'not a type' })
      .exactOptional(),
    format: z.string().exactOptional(),
    title: z.string().exactOptional(),
    description: z.string().exactOptional(),
    nullable: z.boolean().exactOptional(),
    enum: z.array(z.string()).exactOptional(),
    items: openSchema.exactOptional(),
    prefixItems: z.array(openSchema).exactOptional(),
    minItems: int64.exactOptional(),
    maxItems: int64.exactOptional(),
    properties: z.record(z.string(), openSchema).exactOptional(),
    required: z.array(z.string()).exactOptional(),
    propertyOrdering: z.array(z.string()).exactOptional(),
    minProperties: int64.exactOptional(),
    maxProperties: int64.exactOptional(),
    minLength: int64.exactOptional(),
    maxLength: int64.exactOptional(),
    pattern: z.string().exactOptional(),
    minimum: z.number().exactOptional(),
    maximum: z.number().exactOptional(),
    anyOf: z.array(openSchema).exactOptional(),
    default: z.unknown().exactOptional(),
    example: z.unknown().exactOptional(),
  }),
);

const functionDeclaration = z.strictObject({
  name: z.string().exactOptional(),
  description: z.string().exactOptional(),
  behavior: z.string().exactOptional(),
  parameters: openSchema.exactOptional(),
  parametersJsonSchema: z.unknown().exactOptional(),
  response: z.unknown().exactOptional(),
  responseJsonSchema: z.unknown().exactOptional(),
});

const tool = z.strictObject({
  functionDeclarations: z.array(functionDeclaration).exactOptional(),
  googleSearch: struct.exactOptional(),
  googleSearchRetrieval: struct.exactOptional(),
  googleMaps: struct.exactOptional(),
  codeExecution: struct.exactOptional(),
  urlContext: struct.exactOptional(),
  fileSearch: struct.exactOptional(),
  computerUse: struct.exactOptional(),
  mcpServers: z.array(struct).exactOptional(),
});

const toolConfig = z.strictObject({
  functionCallingConfig: z
    .strictObject({
      mode: z.enum(['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED']).exactOptional(),
      allowedFunctionNames: z.array(z.string()).exactOptional(),
    })
    .exactOptional(),
  retrievalConfig: struct.exactOptional(),
  includeServerSideToolInvocations: z.boolean().exactOptional(),
});

const generationConfig = z.strictObject({
  temperature: z.number().exactOptional(),
  topP: z.number().exactOptional(),
  topK: z.number().exactOptional(),
  candidateCount: int32.exactOptional(),
  maxOutputTokens: int32.exactOptional(),
  stopSequences: z.array(z.string()).exactOptional(),
  seed: int32.exactOptional(),
  presencePenalty: z.number().exactOptional(),
  frequencyPenalty: z.number().exactOptional(),
  responseMimeType: z.string().exactOptional(),
  responseSchema: openSchema.exactOptional(),
  responseJsonSchema: z.unknown().exactOptional(),
  responseModalities: z.array(z.string()).exactOptional(),
  responseLogprobs: z.boolean().exactOptional(),
  logprobs: int32.exactOptional(),
  mediaResolution: z.string().exactOptional(),
  speechConfig: struct.exactOptional(),
  audioTranscriptionConfig: struct.exactOptional(),
  imageConfig: struct.exactOptional(),
  enableEnhancedCivicAnswers: z.boolean().exactOptional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: z.boolean().exactOptional(),
      thinkingBudget: int32.exactOptional(),
      thinkingLevel: z.string().exactOptional(),
    })
    .exactOptional(),
});

const generateSchema = z.strictObject({
  model: z.string().exactOptional(),
  contents: z.array(content).exactOptional(),
  systemInstruction: content.exactOptional(),
  tools: z.array(tool).exactOptional(),
  toolConfig: toolConfig.exactOptional(),
  safetySettings: z.array(z.strictObject({ category: z.string(), threshold: z.string() })).exactOptional(),
  generationConfig: generationConfig.exactOptional(),
  cachedContent: z.string().exactOptional(),
  serviceTier: z.string().exactOptional(),
  labels: z.record(z.string(), z.string()).exactOptional(),
  store: z.boolean().exactOptional(),
  continuationToken: z.string().exactOptional(),
});

const countSchema = z.strictObject({
  contents: z.array(content).exactOptional(),
  generateContentRequest: generateSchema.exactOptional(),
});
