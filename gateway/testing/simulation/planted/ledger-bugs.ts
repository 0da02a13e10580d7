import type { Planted } from './planted.ts';

/** After a settlement whose answer was lost, the request is settled under another name. */
export const settlesTwice: Planted = {
  name: 'settles-twice',
  foundBy: 16,
  violates: /a record of .* nobody asked for/,
  ledger: (ledger) => ({
    ...ledger,
    settle: (record) =>
      ledger
        .settle(record)
        .catch(() => ledger.settle({ ...record, request_id: `${record.request_id}-again` })),
  }),
};

/** A request that was admitted and never sent keeps what it holds. */
export const keepsHold: Planted = {
  name: 'keeps-hold',
  foundBy: 24,
  violates: /holds are left at the end/,
  ledger: (ledger) => ({ ...ledger, release: async () => {} }),
};

/** An answer of the fallback is charged as one of the requested model, too. */
export const chargesBoth: Planted = {
  name: 'charges-both',
  foundBy: 11,
  violates: /as no call of it does/,
  ledger: (ledger) => ({
    ...ledger,
    settle: (record) => {
      const isFallback = record.model_served !== record.model_requested && record.charge_pico > 0n;
      return ledger.settle(
        isFallback ? { ...record, charge_pico: record.charge_pico + record.prompt_tokens } : record,
      );
    },
  }),
};
