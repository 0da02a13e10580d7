/** How an app's calls are marked up, in basis points of the list price; single models may have a markup of their own. */
export interface PricingStrategy {
  readonly markupBp: number;
  readonly modelMarkupBp: Readonly<Record<string, number>>;
}

/** The markup on a model in basis points. */
export function markupOf({ markupBp, modelMarkupBp }: PricingStrategy, modelId: string): number {
  return (Object.hasOwn(modelMarkupBp, modelId) ? modelMarkupBp[modelId] : undefined) ?? markupBp;
}
