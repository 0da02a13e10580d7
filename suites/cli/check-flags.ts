/** The flags that name files of own checks. */
export function checkFlags({ checks = [] }: { readonly checks?: readonly string[] }): string {
  return checks.map((file) => ` --checks ${file}`).join('');
}
