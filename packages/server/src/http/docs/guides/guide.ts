/** A guide: its name under /docs/guides, and its text under the repository's docs/. */
export type Guide = {
  readonly name: string;
  readonly file: string;
  readonly title: string;
  /** The last two are for whoever runs the service. */
  readonly group: "Guides" | "Method" | "Running it" | "Runbook";
  readonly lead: string;
};
