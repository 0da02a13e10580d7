import { setTimeout as wait } from 'node:timers/promises';
import type { Reply, TenantControl } from 'gatecheck-simulators/client';
import { compatARequest, compatBRequest } from '../../suites/engine/compat-request.ts';
import { declaredCharge } from '../../suites/engine/declared-price.ts';
import { chatRequest } from '../../suites/engine/requests.ts';
import type { TestAccount } from '../../suites/engine/test-accounts.ts';
import type { Pico } from '../../suites/oracle/money.ts';
import type { Profile } from '../../suites/profile/profile.ts';
import type { Rng } from '../../suites/values/seed.ts';
import type { WireClient, WireRequest } from '../../suites/wire/client.ts';

/** Dependencies of a caller who wants answers without paying. */
export interface TakerParts {
  readonly profile: Profile;
  readonly gateway: WireClient;
  readonly tenant: TenantControl;
  readonly account: TestAccount;
  readonly rng: Rng;
}

export type Protocol = 'core' | 'compat A' | 'compat B';

export interface Ask {
  readonly protocol: Protocol;
  readonly model: string;
  readonly isStream: boolean;
  /** Number of pieces that the upstream makes; each counts as one token. */
  readonly pieces: number;
  readonly promptTokens: number;
  /** The serving model, if it differs from the requested one. */
  readonly served?: string;
  /** The caller leaves when this piece has arrived, or at most 40 ms after the request. Without it, the caller stays. */
  readonly leaveAt?: number | 'once';
  /** The piece that the caller uses as its stop sequence. The upstream ignores it, and the gateway ends the answer. */
  readonly stopAt?: number;
  readonly maxTokens?: number;
  /** Other behaviour of the upstream. */
  readonly reply?: Reply;
}

const waitMs = 60_000;

/** Sends one call, takes the wanted part of the answer, and returns its value in pico-dollars. */
export async function take({ tenant, gateway, account, profile, rng }: TakerParts, ask: Ask): Promise<Pico> {
  const marker = `adv${rng.hex(16)}`;
  const deltas = Array.from({ length: ask.pieces }, (_, index) => `piece-${index} `);
  const usage = { prompt_tokens: ask.promptTokens, completion_tokens: ask.pieces };
  await tenant.script({
    marker,
    replies: [{ deltas, usage, obey: false, ...ask.reply }],
    optional: true,
  });
  const live = gateway.open({ ...requestOf(ask, marker, account.key), timeoutMs: waitMs });
  if (ask.leaveAt !== undefined) {
    const place = ask.leaveAt;
    if (place === 'once') await wait(rng.int(40));
    else await live.until((text) => text.includes(`piece-${place} `), waitMs);
    live.abort();
  }
  await live.done;
  const text = Buffer.concat(live.arrivals.map(({ bytes }) => bytes)).toString('utf8');
  const tokens = new Set(text.match(/piece-\d+ /g)).size;
  return tokens === 0 ? 0n : worth(profile, ask.served ?? ask.model, ask.promptTokens, tokens);
}

/** What this many tokens cost at the list price, in pico-dollars. */
export function worth(profile: Profile, model: string, prompt: number, completion: number): Pico {
  const cached = { cached_tokens: 0, cache_write_5m_tokens: 0, cache_write_1h_tokens: 0 };
  const counts = { prompt_tokens: prompt, completion_tokens: completion, ...cached };
  return declaredCharge(profile, model, counts, { bp: 0 });
}

function requestOf(ask: Ask, marker: string, key: string): WireRequest {
  const { model, isStream, maxTokens } = ask;
  // As many bytes as this many English tokens: the gateway estimates a count that no upstream reports from them.
  const content = `Write. [${marker}] ${'word '.repeat(ask.promptTokens)}`;
  const stop = ask.stopAt === undefined ? undefined : [`piece-${ask.stopAt} `];
  switch (ask.protocol) {
    case 'core': {
      const messages = [{ role: 'user', content }];
      return chatRequest({ model, messages, stream: isStream, stop, max_tokens: maxTokens }, {}, key);
    }
    case 'compat A': {
      const limits = { max_tokens: maxTokens ?? 4096, stop_sequences: stop };
      const messages = [{ role: 'user', content }];
      return compatARequest({ model, messages, stream: isStream, ...limits }, {}, key);
    }
    case 'compat B': {
      const contents = [{ role: 'user', parts: [{ text: content }] }];
      const generationConfig = { maxOutputTokens: maxTokens, stopSequences: stop };
      return compatBRequest(model, { contents, generationConfig }, { stream: isStream }, key);
    }
  }
}
