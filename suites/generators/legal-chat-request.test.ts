import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatCatalogue } from '../oracle/chat-catalogue.ts';
import { chatFields } from '../oracle/chat-fields.ts';
import { bodyOfLegal, legalChatRequest } from './legal-chat-request.ts';

const models = chatCatalogue.map((model) => model.id);
const samples = fc.sample(legalChatRequest(models), { seed: 7, numRuns: 400 });

describe('a legal chat request', () => {
  it('covers every field of the chat request', () => {
    const seen = new Set(samples.flatMap((sample) => Object.keys(bodyOfLegal(sample, 'p'))));
    expect([...seen].sort()).toEqual(chatFields.map((field) => field.name).sort());
  });

  it('covers every role, and string, block and null content', () => {
    const turns = samples.flatMap((sample) => sample.history);
    expect(new Set(turns.map((turn) => turn.role))).toEqual(new Set(['system', 'user', 'assistant', 'tool']));
    expect(turns.some((turn) => Array.isArray(turn.content))).toBe(true);
    expect(turns.some((turn) => turn.content === null && turn.tool_calls !== undefined)).toBe(true);
  });

  it('stays within the strictest reading of every limit', () => {
    for (const { options, history } of samples) {
      expect(options.temperature === undefined || options.top_p === undefined).toBe(true);
      const metadata = Object.entries((options.metadata ?? {}) as Record<string, string>);
      expect(metadata.length).toBeLessThanOrEqual(16);
      expect(metadata.every(([key, value]) => [...key].length <= 64 && [...value].length <= 64)).toBe(true);
      expect(history.slice(1).every((turn) => turn.role !== 'system')).toBe(true);
    }
  });

  it('sends images only to models with Vision', () => {
    for (const { model, history } of samples) {
      const sees = JSON.stringify(history).includes('"image_url"');
      expect(sees && chatCatalogue.find(({ id }) => id === model)?.vision !== true).toBe(false);
    }
  });

  it('answers every tool call of the history before the next turn', () => {
    for (const { history } of samples) {
      const called = history.flatMap((turn) =>
        ((turn.tool_calls ?? []) as { id: string }[]).map((call) => call.id),
      );
      const answered = history.filter((turn) => turn.role === 'tool').map((turn) => turn.tool_call_id);
      expect(answered).toEqual(called);
      expect(new Set(called).size).toBe(called.length);
    }
  });
});
