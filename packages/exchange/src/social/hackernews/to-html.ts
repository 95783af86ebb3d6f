const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
  "/": "&#x2F;",
};
const LINK = /https?:\/\/[^\s<>"']+/g;
/** Of a link's text; its href is whole. */
const MOST_SHOWN = 60;

/** A text as Hacker News keeps it: entities, a <p> before every paragraph but the first, links. */
export function toHtml(text: string): string {
  return text
    .split(/\n+/)
    .map((paragraph) => toLine(paragraph))
    .join("<p>");
}

function toLine(paragraph: string): string {
  let html = "";
  let end = 0;
  for (const found of paragraph.matchAll(LINK)) {
    html += escape(paragraph.slice(end, found.index)) + toLink(found[0]);
    end = found.index + found[0].length;
  }
  return html + escape(paragraph.slice(end));
}

function toLink(url: string): string {
  const shown = url.length > MOST_SHOWN ? `${url.slice(0, MOST_SHOWN)}...` : url;
  return `<a href="${escape(url)}" rel="nofollow">${escape(shown)}</a>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"'/]/g, (sign) => ENTITIES[sign] ?? sign);
}
