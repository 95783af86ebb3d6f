/** Text that is already HTML. */
export type Html = { readonly html: string };
export type Part = string | number | Html | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Builds HTML from a template; inserted values are escaped unless they are Html themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((text, index) => text + rendered(parts[index])).join("") };
}

function rendered(part: Part | undefined): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escape(String(part));
  return "html" in part ? part.html : part.map((one) => one.html).join("");
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
