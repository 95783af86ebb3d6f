import type { Html } from "../html.ts";

/** A heading that can be linked to within its page. */
export type Section = { readonly id: string; readonly title: string };

export type PageBody = {
  readonly html: Html;
  /** What the list "On this page" names. */
  readonly sections: readonly Section[];
};

/** A page of the documentation; its body is made when it is first asked for. */
export type DocsPage = {
  readonly path: string;
  readonly title: string;
  readonly group: string;
  /** One sentence that says what is on it. */
  readonly lead: string;
  readonly body: () => PageBody;
  /** Words by which a search finds it, beside title and lead; told without making the body. */
  readonly words: () => string;
};
