/** A part of a path without its escapes; as it stands where these are broken. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
