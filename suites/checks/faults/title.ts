/** What a check of this fault holds a gateway to, as one sentence. */
export function titleOf({ id, wire }: { readonly id: string; readonly wire: string }): string {
  const cause = wire.replace(/\.$/, '');
  return `${id}, ${cause.charAt(0).toLowerCase()}${cause.slice(1)}: the caller gets what the catalogue says, and the stack stays healthy`;
}
