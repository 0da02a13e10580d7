import fc from 'fast-check';
import { type Check, defineCheck } from '../../engine/check.ts';
import { extremeTranscripts, longTranscript, withPrompt } from '../../generators/long-transcript.ts';
import { threeTools } from '../../oracle/sample-tools.ts';
import { judgeAccepted } from '../../steps/chat/judge-cell.ts';
import { familyModels } from '../../steps/chat/upstream-view.ts';

export const longTranscriptsAreAccepted: Check = defineCheck({
  id: 'msg.transcript.long',
  title: 'any legal conversation of 1 to 30 messages is accepted on every family',
  requirements: ['MSG-031'],
  kind: 'property',
  needs: [],
  run: async ({ cases, target, newScene, http, judge }) => {
    const models = familyModels(target);
    await cases.forAll(
      fc.record({
        transcript: longTranscript,
        model: fc.constantFrom(...target.models),
        stream: fc.boolean(),
      }),
      async ({ transcript, model, stream }) => {
        const messages = withPrompt(transcript, newScene().prompt());
        const body = { model, messages, tools: threeTools, ...(stream ? { stream } : {}) };
        const exchange = await http.chat(body, { label: `${messages.length} messages on ${model}` });
        judgeAccepted(judge, body, exchange, { requirement: 'MSG-031', aspect: 'long-talk-accepted' });
      },
      {
        quick: 25,
        full: 800,
        examples: models.flatMap((model) =>
          extremeTranscripts.map((transcript, index) => ({ transcript, model, stream: index === 0 })),
        ),
      },
    );
  },
});
