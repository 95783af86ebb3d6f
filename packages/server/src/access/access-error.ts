/** A change to accounts, keys or plans that cannot be made; `message` is for whoever asked for it. */
export class AccessError extends Error {
  readonly problem: "not_found" | "conflict" | "invalid";

  constructor(problem: "not_found" | "conflict" | "invalid", message: string) {
    super(message);
    this.name = "AccessError";
    this.problem = problem;
  }
}
