const MAX_LENGTH = 2000;

/** Text as a header may carry it: printable ASCII of bounded length, anything else a question mark. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7E]/g, "?").slice(0, MAX_LENGTH);
}
