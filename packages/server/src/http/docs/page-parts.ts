import type { ExampleValues } from "../../definition/example-values.ts";
import { html, type Html, type Part as Cell } from "../html.ts";

type Part = Section & { readonly html: Html };

/** A section of a page; none if it has no content. */
export const part = (id: string, title: string, body: Html | undefined): readonly Part[] =>
  body === undefined ? [] : [{ id, title, html: body }];

/** A page's body from its introduction and its sections in order. */
export function pageBody(before: Html, parts: readonly Part[]): PageBody {
  return {
    html: html`${before}${parts.map(({ id, title, html: inner }) => html`<section aria-labelledby="${id}">${heading(id, title)}${inner}</section>`)}`,
    sections: parts.map(({ id, title }) => ({ id, title })),
  };
}

const heading = (id: string, title: string): Html =>
  html`<h2 id="${id}">${title} <a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a></h2> `;

/** A code block, scrollable by keyboard; the pages' script adds a copy button. */
export const codeBlock = (label: string, code: string, language: string): Html =>
  html`<figure class="code">
    <figcaption>${label}</figcaption>
    <pre tabindex="0" role="region" aria-label="${label}"><code class="${language}">${code}</code></pre>
  </figure>`;

/** A table in a box that scrolls sideways if too narrow, by keyboard too. */
export const dataTable = (label: string, heads: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="table rows" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

/** A table row from the contents of its cells. */
export const tableRow = (...cells: readonly Cell[]): Html =>
  html`<tr>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`;

/** Links to pages, each with a summary. */
export const cardList = (pages: readonly Pick<DocsPage, "path" | "title" | "lead" | "note">[]): Html =>
  html`<ul class="cards">
    ${pages.map(
      ({ path, title, lead, note }) =>
        html`<li>
          <a href="${path}">${title}</a> ${note === undefined ? "" : html`<small class="note">${note}</small>`}
          <p>${lead}</p>
        </li>`,
    )}
  </ul>`;

/** Text with `names` in backticks rendered as code. */
export function ticked(text: string): Html {
  const parts = text.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return html`${parts}`;
}

/** A heading that can be linked to within its page. */
export type Section = { readonly id: string; readonly title: string };

export type PageBody = {
  readonly html: Html;
  /** Entries of the list "On this page". */
  readonly sections: readonly Section[];
};

/** A page of the documentation; its body is built on first request. */
export type DocsPage = {
  readonly path: string;
  readonly title: string;
  readonly group: string;
  /** One sentence that summarises it. */
  readonly lead: string;
  /** Shown next to its title in lists of datasets. */
  readonly note?: string;
  readonly hasExamples?: boolean;
  readonly body: (values: ExampleValues) => PageBody;
  /** Search words in addition to title and lead; returned without building the body. */
  readonly words: () => string;
};
