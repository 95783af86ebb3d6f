import { compile, type Format } from "html-to-text";

/** Longer than any text the site takes. */
const MOST_HTML = 100_000;

/** A link's text is cut off with dots where its address is long: the address says it whole. */
const link: Format = (element, walk, builder) => {
  const { href } = element.attribs;
  if (href) builder.addInline(href, { noWordTransform: true });
  else walk(element.children, builder);
};

const convert = compile({
  wordwrap: false,
  formatters: { link },
  selectors: [
    { selector: "a", format: "link" },
    { selector: "img", format: "skip" },
    { selector: "pre", options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
  ],
  limits: { maxDepth: 50, maxInputLength: MOST_HTML },
});

/** The text of a piece of Hacker News' HTML, paragraphs parted by an empty line. */
export function plainText(html: string): string {
  return convert(html.slice(0, MOST_HTML))
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
