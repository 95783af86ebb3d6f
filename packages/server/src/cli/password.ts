import type { UserSummary } from "../access/users.ts";
import { CommandError } from "./command.ts";
import { commandContext } from "./command-context.ts";

/** Reads the first line of standard input: passwords are never arguments, which every process can see. */
export async function readPassword(): Promise<string> {
  const line = await commandContext().input();
  if (line === "") throw new CommandError(2, "--password-stdin: standard input has no password in its first line");
  return line;
}

/** Message about a user who can sign in now. */
export function passwordText({ id, email, role }: UserSummary, password: string | undefined): string {
  const who = `User ${id} (${email}, ${role})`;
  if (password === undefined) return `${who} signs in with the password that was given.`;
  return `${who} signs in with the password ${password}\nThis is the only time it is shown; it must be changed at the first sign-in.`;
}
