import { CommandError } from "./command-error.ts";
import { ground } from "./ground.ts";

/** The first line of standard input: a password never goes through arguments, which every process can see. */
export async function readPassword(): Promise<string> {
  const line = await ground().input();
  if (line === "") throw new CommandError(2, "--password-stdin: standard input has no password in its first line");
  return line;
}
