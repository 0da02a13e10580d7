/** Tool definitions that are legal under every reading: short plain names, a description, an object schema. */
export interface ToolDefinition {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

export function toolNamed(name: string, description = 'Looks a word up in a dictionary.'): ToolDefinition {
  const parameters = {
    type: 'object',
    properties: { word: { type: 'string', description: 'The word.' } },
    required: ['word'],
  };
  return { type: 'function', function: { name, description, parameters } };
}

export const oneTool: ToolDefinition = toolNamed('look_up');

export const threeTools: readonly ToolDefinition[] = [
  oneTool,
  toolNamed('translate', 'Translates a word into French.'),
  toolNamed('spell', 'Spells a word letter by letter.'),
];

/** A function without arguments. */
export const toolWithoutArguments: ToolDefinition = {
  type: 'function',
  function: {
    name: 'current_time',
    description: 'Says what time it is. Takes no arguments.',
    parameters: { type: 'object', properties: {} },
  },
};

/** A tool call in an assistant turn of the history. */
export interface HistoryCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export function callOf(id: string, name = 'look_up', args = '{"word":"sea"}'): HistoryCall {
  return { id, type: 'function', function: { name, arguments: args } };
}
