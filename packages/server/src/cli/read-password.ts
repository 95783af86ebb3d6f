import { CommandError } from "./command-error.ts";

const MAX_BYTES = 4096;

/** The first line of standard input: a password never goes through arguments, which every process can see. */
export async function readPassword(input: AsyncIterable<Buffer | string> = process.stdin): Promise<string> {
  let text = "";
  for await (const chunk of input) {
    text += chunk.toString("utf8");
    if (text.includes("\n") || text.length > MAX_BYTES) break;
  }
  const line = text.split("\n", 1)[0]?.replace(/\r$/, "") ?? "";
  if (line === "") throw new CommandError(2, "--password-stdin: standard input has no password in its first line");
  return line;
}
