import type { Dataset } from "../../explore/dataset.ts";

const FEW = 5;

/** Quotes for a POSIX shell: inside single quotes only the quote itself is special. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A working command with this key: the first dataset it may read, with the values of its first example. */
export function toFirstCurl(
  origin: string,
  key: string,
  allowed: readonly number[] | null,
  readable: readonly Pick<Dataset, "agent_id" | "examples">[],
): string | undefined {
  const dataset = readable.find(({ agent_id }) => allowed === null || allowed.includes(agent_id));
  if (dataset === undefined) return undefined;
  const body = {
    agent_id: dataset.agent_id,
    params: dataset.examples[0]?.params ?? {},
    pagination: { limit: FEW },
  };
  return [
    `curl ${quote(`${origin}/api/v2/semantic/retrieve/parameterized`)}`,
    `  -H ${quote(`Authorization: Bearer ${key}`)}`,
    `  -H 'Content-Type: application/json'`,
    `  -d ${quote(JSON.stringify(body))}`,
  ].join(" \\\n");
}
