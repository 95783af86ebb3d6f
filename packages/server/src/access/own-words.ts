import { AccessError } from "./access-error.ts";

type Person = { readonly email: string; readonly name: string };

/** Shorter names occur in many words. */
const MIN_CHARS = 4;

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll(/\s/g, "");

/** Throws AccessError if the password, sent as `field`, contains the user's e-mail address or name. */
export function requireNotOwn(password: string, { email, name }: Person, field: string): void {
  const text = plain(password);
  const [user = ""] = email.split("@");
  const holds = (word: string): boolean => word.length >= MIN_CHARS && text.includes(plain(word));
  const held = holds(email) || holds(user) ? "e-mail address" : holds(plain(name)) ? "name" : undefined;
  if (held === undefined) return;
  const problem = `must not contain the user's own ${held}`;
  throw new AccessError("invalid", `${field} ${problem}`, [{ path: field, problem }]);
}
