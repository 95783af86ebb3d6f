import { AccessError } from "../../access/access-error.ts";

/** Throws AccessError "invalid" where a text, however deep, has a NUL: the records cannot keep it, nor look for it. */
export function requireText(value: unknown, path = ""): void {
  if (typeof value === "string" && value.includes("\u0000")) {
    const problem = "expected text without NUL characters";
    throw new AccessError("invalid", `${path}: ${problem}`, [{ path, problem }]);
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) requireText(one, path === "" ? name : `${path}.${name}`);
}
