import { html, type Html } from "../html.ts";
import type { PageBody, Section } from "./docs-page.ts";

type Part = Section & { readonly html: Html };

/** A section of a page; nothing where it has nothing to say. */
export const part = (id: string, title: string, body: Html | undefined): readonly Part[] =>
  body === undefined ? [] : [{ id, title, html: body }];

/** A page's body from what comes first and its sections in order. */
export function pageBody(before: Html, parts: readonly Part[]): PageBody {
  return {
    html: html`${before}${parts.map(({ id, title, html: inner }) => html`<section aria-labelledby="${id}">${heading(id, title)}${inner}</section>`)}`,
    sections: parts.map(({ id, title }) => ({ id, title })),
  };
}

const heading = (id: string, title: string): Html =>
  html`<h2 id="${id}">${title} <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h2> `;
