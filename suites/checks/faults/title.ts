/** The title of a fault's check. */
export function titleOf({ id, cause }: { readonly id: string; readonly cause: string }): string {
  return `${id}, ${cause}: handled as specified`;
}
