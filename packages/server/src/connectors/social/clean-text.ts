/** Control characters but tab and line feed, and those that turn the direction of what follows. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A source's text without control characters and half characters, cut to at most `most` UTF-16 units. */
export function cleanText(text: string, most: number): string {
  // What is taken out is rarely more than a few characters, so the bound holds before it is looked for.
  const plain = text
    .slice(0, most * 2)
    .replaceAll("\r\n", "\n")
    .replace(CONTROLS, "");
  const cut = plain.slice(0, most);
  const isHalved = plain.length > most && /[\ud800-\udbff]$/.test(cut);
  return (isHalved ? cut.slice(0, -1) : cut).toWellFormed();
}
