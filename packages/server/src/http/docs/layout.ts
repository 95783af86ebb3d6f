import { html, type Html } from "../html.ts";

/** A whole page of the documentation. */
export function layout(title: string, body: Html): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Almanac</title>
        <link rel="stylesheet" href="/docs/style.css" />
      </head>
      <body>
        <header><a href="/docs">Almanac</a> · <a href="/openapi.json">openapi.json</a></header>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  return page.html;
}
