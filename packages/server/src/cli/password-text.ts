import type { UserSummary } from "../access/users.ts";

/** What is told of a user who can sign in now. */
export function passwordText({ id, email, role }: UserSummary, password: string | undefined): string {
  const who = `User ${id} (${email}, ${role})`;
  if (password === undefined) return `${who} signs in with the password that was given.`;
  return `${who} signs in with the password ${password}\nThis is the only time it is shown; it must be changed at the first sign-in.`;
}
