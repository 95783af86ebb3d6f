import type { DatasetDefinition } from "../definition/dataset.ts";
import { bound } from "../definition/param.ts";
import type { Store } from "../store/store.ts";
import type { ReadParams } from "./parse-params.ts";

/**
 * Replaces the name in the parameters by the ids it stands for; undefined if nothing has that name or no row can match.
 */
export async function findNamed<Read extends ReadParams>(
  { named, params }: DatasetDefinition,
  read: Read,
  store: Pick<Store, "rows">,
): Promise<Read | undefined> {
  if (read.isNowhere) return undefined;
  if (named === undefined) return read;
  const [name, definition] = [read.given[named.by], params[named.param]];
  if (name === undefined || definition === undefined || read.given[named.param] !== undefined) return read;
  const found = (await store.rows<{ id: string }>(named.ids(name))).map(({ id }) => id);
  const [first] = found;
  if (first === undefined) return undefined;
  const value = definition.isList ? found : first;
  return {
    ...read,
    given: { ...read.given, [named.param]: bound(definition, value) },
    echo: { ...read.echo, [named.param]: definition.echo(value) },
  };
}
