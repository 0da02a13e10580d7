import fc from 'fast-check';
import { defineCheck } from '../../engine/check.ts';
import type { CheckParts } from '../../engine/parts/check-parts.ts';
import { toolName } from '../../generators/legal-tools.ts';
import { dialectOf } from '../../oracle/native/dialects.ts';
import { threeTools, toolNamed, toolWithoutArguments } from '../../oracle/sample-tools.ts';
import { must, part } from '../../rules/violation.ts';
import { bothAnswers, type ModelTurn } from '../../steps/chat/both-answers.ts';
import { judgeTurns } from '../../steps/chat/judge-forwarded.ts';
import { dialectModels, familyModels, nativeRequest } from '../../steps/chat/upstream-view.ts';

const prompt = 'Use a tool to look the word "sea" up.';

export const callsAreWhole = defineCheck({
  id: 'tool.calls.whole',
  title: 'a tool call has an id, type function, a name from the request and JSON object arguments',
  requirements: ['TOOL-008', 'TOOL-009', 'TOOL-010', 'TOOL-017'],
  kind: 'example',
  needs: [],
  run: async (parts) => {
    const { target, cases, newScene } = parts;
    const names = threeTools.map((tool) => tool.function.name);
    for (const model of target.eachModel) {
      cases.count();
      const body = { ...newScene().minimal(model, prompt), tools: threeTools, tool_choice: 'required' };
      for (const turn of await bothAnswers(parts, body, 'TOOL-009', 'tools-accepted')) {
        judgeTurn(turn);
        for (const call of turn.calls) {
          const rule = { requirement: 'TOOL-009', aspect: 'name-of-request', exchange: turn.exchange };
          const expected = `a name among ${names.join(', ')}`;
          must(names.includes(call.function.name), { ...rule, expected, actual: call.function.name });
        }
      }
      await withoutCalls(parts, model);
    }
  },
});

export const noArguments = defineCheck({
  id: 'tool.calls.no-arguments',
  title: 'a call of a function without arguments carries the JSON of an empty object',
  requirements: ['TOOL-010'],
  kind: 'upstream',
  needs: ['upstream.control'],
  run: async (parts) => {
    for (const model of familyModels(parts.target))
      await part(async () => {
        for (const scripted of ['{}', '{ }', '']) await judgeEmpty(parts, model, scripted);
      });
  },
});

type NameChoice = 'required' | 'named';

export const namesSurvive = defineCheck({
  id: 'tool.calls.names',
  title: 'a tool is called by exactly the name that the request gave it, in follow-ups too',
  requirements: ['TOOL-005', 'TOOL-009', 'CHAT-010'],
  kind: 'property',
  needs: [],
  run: async (parts) => {
    const { cases, target } = parts;
    await cases.forAll(
      fc.record({
        name: toolName,
        choice: fc.constantFrom<NameChoice>('required', 'named'),
        model: fc.constantFrom(...target.models),
      }),
      (named) => judgeName(parts, named),
      {
        quick: 10,
        full: 400,
        examples: [
          ...['f', 'n'.repeat(64), 'a_b-C9'].map((name) => {
            return { name, choice: 'required' as const, model: target.anyModel() };
          }),
          // Some dialects forbid these names, so a gateway must replace and restore them.
          ...dialectModels(target).flatMap((model) => [
            { name: '7_up', choice: 'required' as const, model },
            { name: '-', choice: 'named' as const, model },
          ]),
        ],
      },
    );
  },
});

/** With tool_choice none the turn ends without calls. */
async function withoutCalls(parts: CheckParts, model: string): Promise<void> {
  const body = { ...parts.newScene().minimal(model), tools: threeTools, tool_choice: 'none' };
  const turns = await bothAnswers(parts, body, 'TOOL-017', 'tools-accepted');
  for (const { calls, finishReason, exchange } of turns) {
    const quiet = calls.length === 0 && finishReason !== 'tool_calls';
    const rule = { requirement: 'TOOL-017', aspect: 'no-calls-other-finish', exchange };
    const expected = 'no call, and a finish_reason other than tool_calls';
    must(quiet, { ...rule, expected, actual: `${calls.length} calls, ${finishReason}` });
  }
}

function judgeTurn({ calls, finishReason, exchange }: ModelTurn): void {
  const ended = calls.length > 0 && finishReason === 'tool_calls';
  const rule = { requirement: 'TOOL-017', aspect: 'finish-is-tool-calls', exchange };
  const expected = 'tool calls with finish_reason tool_calls';
  must(ended, { ...rule, expected, actual: `${calls.length} calls, ${finishReason}` });
}

async function judgeEmpty(parts: CheckParts, model: string, scripted: string): Promise<void> {
  const { cases, newScene, judge } = parts;
  cases.count();
  const scene = newScene();
  await scene.script({ tool_calls: [{ name: toolWithoutArguments.function.name, arguments: scripted }] });
  const body = { ...scene.minimal(model, 'What time is it?'), tools: [toolWithoutArguments] };
  for (const { calls, exchange } of await bothAnswers(parts, body, 'TOOL-010', 'tools-accepted')) {
    const text = calls[0]?.function.arguments;
    // A gateway may pass on an empty text that the upstream wrote.
    const isPassedOn = text === '' && scripted === '' && dialectOf(model) === 'chat-completions';
    if (isPassedOn) judge.note('a call without arguments has the empty string as arguments');
    const empty = isPassedOn || text?.replaceAll(/\s/g, '') === '{}';
    const rule = { requirement: 'TOOL-010', aspect: 'empty-object', exchange };
    must(empty, { ...rule, expected: 'arguments "{}"', actual: JSON.stringify(text) ?? 'no call' });
  }
}

async function judgeName(
  parts: CheckParts,
  { name, choice, model }: { name: string; choice: NameChoice; model: string },
): Promise<void> {
  const { newScene, http, judge, target } = parts;
  const tools = [toolNamed(name), toolNamed(`${name.slice(0, 62)}_2`)];
  const body = {
    ...newScene().minimal(model, prompt),
    tools: choice === 'named' ? tools : tools.slice(0, 1),
    tool_choice: choice === 'named' ? { type: 'function', function: { name } } : choice,
  };
  const [plain, streamed] = await bothAnswers(parts, body, 'TOOL-005', 'names-accepted');
  for (const { calls, exchange } of [plain, streamed]) {
    const called = calls.map((call) => call.function.name);
    const rule = { requirement: 'TOOL-005', aspect: 'name-exact', exchange };
    const actual = JSON.stringify(called);
    must(called.length > 0 && called.every((each) => each === name), { ...rule, expected: name, actual });
  }
  const next = newScene();
  // Fixed ids and no extra members, so the requests depend only on the seed.
  const called = plain.calls.map((call, at) => {
    return { id: `call_${at + 1}`, type: 'function', function: call.function };
  });
  const followUp = {
    model,
    tools,
    messages: [
      { role: 'user', content: next.prompt(prompt) },
      { role: 'assistant', content: plain.content, tool_calls: called },
      ...called.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'salt water' })),
    ],
  };
  const answered = await http.chat(followUp, { label: `the result of ${name}` });
  judge.completed(answered, { requirement: 'TOOL-005', aspect: 'names-accepted', model });
  if (target.profile.upstream !== undefined)
    judgeTurns(followUp, await nativeRequest(next, 'CHAT-010', answered), answered);
}
