import { ACTIVE_PARTS, PARTS_OF_ALL_REPLICAS } from "../../definition/active-parts.ts";
import { WHOLE } from "../../definition/whole-table.ts";
import { shardDatabase } from "./cluster-place.ts";

const DICTIONARY_CALL = /\b(dict(?:Get|Has|Is)\w*)\('(\w+)'/g;

/** What a statement says of its own database, said so that the other nodes find it: they work in another one. */
export function qualified(text: string, database: string, cluster: string): string {
  const where = `WHERE active AND database = '${shardDatabase(database)}'`;
  return text
    .replaceAll(DICTIONARY_CALL, `$1('${database}.$2'`)
    .replaceAll(WHOLE, `${database}.`)
    .replaceAll(ACTIVE_PARTS.text, `cluster('${cluster}', system.parts) ${where}`)
    .replaceAll(PARTS_OF_ALL_REPLICAS.text, `clusterAllReplicas('${cluster}', system.parts) ${where}`);
}
