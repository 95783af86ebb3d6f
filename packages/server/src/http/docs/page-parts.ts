import type { ExampleValues } from "../../definition/example-values.ts";
import { html, type Html, type Part as Cell } from "../html.ts";

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

/** A block of code. It can be scrolled by the keyboard; the script of the pages gives it a button that copies it. */
export const codeBlock = (label: string, code: string, language: string): Html =>
  html`<figure class="code">
    <figcaption>${label}</figcaption>
    <pre tabindex="0" role="region" aria-label="${label}"><code class="${language}">${code}</code></pre>
  </figure>`;

/** A table in a box that scrolls sideways where it is too narrow, by the keyboard too. */
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

/** A row of a table from what is in its cells. */
export const tableRow = (...cells: readonly Cell[]): Html =>
  html`<tr>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`;

/** Links to pages, each with what is on it. */
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

/** Text in which `names` in backticks are code. */
export function ticked(text: string): Html {
  const parts = text.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return html`${parts}`;
}

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
  /** Beside its title where datasets are listed. */
  readonly note?: string;
  readonly hasExamples?: boolean;
  readonly body: (values: ExampleValues) => PageBody;
  /** Words by which a search finds it, beside title and lead; told without making the body. */
  readonly words: () => string;
};
