/** What one check found. `warn` is for what works and may not for long. */
export type Finding = {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  /** A sentence; where it is not ok, with what to do. */
  readonly says: string;
};
