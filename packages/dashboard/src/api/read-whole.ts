/** Reads every line of a paginated list, each page starting after the last line's id. */
export async function readWhole<Whole extends { readonly has_more: boolean }, Line extends { readonly id: string }>(
  read: (after: string | undefined) => Promise<Whole>,
  linesOf: (page: Whole) => readonly Line[],
): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for (;;) {
    const page = await read(lines.at(-1)?.id);
    const reported = linesOf(page);
    lines.push(...reported);
    if (!page.has_more || reported.length === 0) return lines;
  }
}
