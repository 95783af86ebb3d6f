import { html, type Html } from "../html.ts";
import type { DocsPage, PageBody } from "./page-parts.ts";

const MARK = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
  <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" stroke-width="2" />
  <path d="M12 3a9 9 0 0 1 0 18c-3.6-2.4-5.4-5.4-5.4-9S8.4 5.4 12 3z" fill="currentColor" />
</svg>`;

/** A complete page of the documentation, with navigation to all others. */
export function layout(page: DocsPage, body: PageBody, all: readonly DocsPage[]): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · Almanac</title>
        <meta name="description" content="${page.lead}" />
        <link rel="stylesheet" href="/docs/docs.css" />
        <script src="/docs/docs.js"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the text</a>
        <header class="top">
          <a class="brand" href="/docs">${MARK}<span>Almanac</span></a>
          <span class="what">Documentation</span>
          <a class="to-nav" href="#pages">All pages</a>
          <nav class="links" aria-label="Elsewhere">
            <a href="/">Dashboard</a> <a href="/openapi.json">openapi.json</a>
          </nav>
          <div class="tools" id="tools"></div>
        </header>
        <div class="frame">
          <main id="content">
            <p class="kicker">${page.group}</p>
            <h1>${page.title}</h1>
            <p class="lead">${page.lead}</p>
            ${onThisPage(body)} ${body.html} ${neighbours(page, all)}
          </main>
          ${sidebar(page, all)}
        </div>
        <footer><p>Made from the definitions that the service runs on. Apache-2.0.</p></footer>
      </body>
    </html> `.html;
}

function onThisPage({ sections }: PageBody): Html {
  if (sections.length < 3) return html``;
  return html`<nav class="on-page" aria-label="On this page">
    <ul>
      ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>
  </nav>`;
}

function sidebar(page: DocsPage, all: readonly DocsPage[]): Html {
  const groups = Map.groupBy(
    all.filter(({ path }) => path !== "/docs"),
    ({ group }) => group,
  );
  return html`<nav class="pages" id="pages" aria-label="All pages">
    <p><a href="/docs" ${page.path === "/docs" ? CURRENT : NOTHING}>Overview</a></p>
    ${[...groups].map(([group, pages]) => html`<details${group === page.group || !isLong(group) ? OPEN : NOTHING}><summary>${group}</summary><ul>${pages.map((one) => html`<li><a href="${one.path}" ${one === page ? CURRENT : NOTHING}>${one.title}</a></li>`)}</ul></details>`)}
  </nav>`;
}

const CURRENT = html` aria-current="page"`;
const OPEN = html` open`;
const NOTHING = html``;
/** Groups that are collapsed unless the current page is in them. */
const LONG = new Set(["Errors", "Method", "Reference", "Running it", "Runbook"]);
const isLong = (group: string): boolean => LONG.has(group);

function neighbours(page: DocsPage, all: readonly DocsPage[]): Html {
  const at = all.indexOf(page);
  return html`<nav class="neighbours" aria-label="Pages before and after">
    ${neighbour(all[at - 1], "Before", "prev")}${neighbour(all[at + 1], "Next", "next")}
  </nav>`;
}

const neighbour = (page: DocsPage | undefined, label: string, rel: "prev" | "next"): Html =>
  page === undefined
    ? html``
    : html`<a rel="${rel}" class="${rel}" href="${page.path}"><small>${label}</small> ${page.title}</a>`;
