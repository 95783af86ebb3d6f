const MAX_BYTES = 4096;

/** The first line of an input, at most 4096 characters of it; what follows is left unread. */
export async function readFirstLine(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += chunk.toString("utf8");
    if (text.includes("\n") || text.length > MAX_BYTES) break;
  }
  return text.split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
}
