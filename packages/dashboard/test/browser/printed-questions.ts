import { readFileSync } from "node:fs";
import { unescaped } from "../../../server/test/docs/made-docs.ts";

const ROOT = new URL("../../../../", import.meta.url);
const PAGE = /href="(\/docs(?:\/(?:datasets|guides)\/[^"#]+)?)"/g;
const FIGURE = /<figcaption>([^<]*)<\/figcaption>\s*<pre[^>]*><code class="\w*">([\s\S]*?)<\/code\s*>/g;
const FENCED = /```\w*\n([\s\S]*?)```/g;
const CURL_BODY = /-d '((?:[^']|'\\'')+)'/g;
/** Placeholder in a body for a value that the reader has to fill in. */
const LEFT_TO_READER = "…";

/** A request printed somewhere for a reader to send. */
export type PrintedQuestion = { readonly where: string; readonly body: Body };

type Body = {
  readonly agent_id: number;
  readonly params: Readonly<Record<string, string>>;
  readonly pagination?: { readonly offset?: number };
};

/** Every request printed in the pages under /docs and in openapi.json of a service, and in the README; each once. */
export async function printedQuestions(baseUrl: string): Promise<readonly PrintedQuestion[]> {
  const read = async (path: string): Promise<string> => (await fetch(baseUrl + path)).text();
  const paths = new Set([...(await read("/docs")).matchAll(PAGE)].map(([, path = ""]) => path));
  const found: PrintedQuestion[] = [];
  for (const path of paths) {
    for (const [, label = "", code = ""] of (await read(path)).matchAll(FIGURE))
      found.push(...bodiesIn(unescaped(code)).map((body) => ({ where: `${path}, ${unescaped(label)}`, body })));
  }
  found.push(...examplesIn(JSON.parse(await read("/openapi.json"))));
  for (const [, code = ""] of readFileSync(new URL("README.md", ROOT), "utf8").matchAll(FENCED))
    found.push(...bodiesIn(code).map((body) => ({ where: "README.md", body })));
  const once = Map.groupBy(found, ({ body: { agent_id: agentId, params, pagination } }) =>
    JSON.stringify([agentId, params, pagination?.offset ?? 0]),
  );
  return [...once.values()].flatMap(([first]) => first ?? []);
}

/** Request bodies that a block of code sends: by curl, or printed as JSON alone. */
function bodiesIn(code: string): readonly Body[] {
  const sent = Array.from(code.matchAll(CURL_BODY), ([, body = ""]) => body.replaceAll(String.raw`'\''`, "'"));
  const isBody = /^\s*\{\s*"agent_id"/.test(code);
  const bodies = [...sent, ...(isBody ? [code] : [])].filter((body) => !body.includes(LEFT_TO_READER));
  return bodies.map((body) => JSON.parse(body) as Body);
}

type Document = {
  readonly paths: Readonly<
    Record<string, { readonly post: { readonly requestBody: { readonly content: Readonly<Record<string, Content>> } } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly examples?: readonly Body[] }>> };
};
type Content = { readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: Body }>> };

function examplesIn({ paths, components }: Document): readonly PrintedQuestion[] {
  const contents = Object.values(paths).flatMap(({ post }) => Object.values(post.requestBody.content));
  const named = contents.flatMap(({ examples }) => Object.values(examples));
  return [
    ...Object.entries(components.schemas).flatMap(([name, { examples = [] }]) =>
      examples.map((body) => ({ where: `openapi.json, ${name}`, body })),
    ),
    ...named.map(({ summary, value: body }) => ({ where: `openapi.json, ${summary}`, body })),
  ];
}
