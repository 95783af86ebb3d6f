const MIN_LENGTH = 12;
const MAX_LENGTH = 200;
const MIN_DIFFERENT = 5;

/** Why a password is not acceptable, checked before sending; the service checks the same. */
export function passwordProblem(password: string): string | undefined {
  if (password.length < MIN_LENGTH) return `It has ${password.length} characters; at least ${MIN_LENGTH} are needed.`;
  if (password.length > MAX_LENGTH) return `It has ${password.length} characters; at most ${MAX_LENGTH} are allowed.`;
  if (new Set(password).size < MIN_DIFFERENT) return `Use at least ${MIN_DIFFERENT} different characters.`;
  return undefined;
}
