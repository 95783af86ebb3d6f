/** Contents of the form: parameters by name (canonical, or as in a link) and the page. Absent: not sent. */
export type Requested = {
  readonly params: Readonly<Record<string, string>>;
  readonly limit: string;
  readonly offset: string;
};

export const NOTHING_REQUESTED: Requested = { params: {}, limit: "", offset: "" };
