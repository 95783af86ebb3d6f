import { hash } from "node:crypto";
import type { DatasetDefinition } from "../definition/dataset.ts";
import { CallerError } from "../definition/errors.ts";
import { itemsOf, bound } from "../definition/param.ts";
import type { Asker } from "./answer.ts";
import { readCursor, type CursorState } from "./cursor.ts";
import type { QueryOptions } from "./open-query.ts";
import { parseParams, type ReadParams } from "./parse-params.ts";
import { parseRequest, type QueryRequest } from "./parse-request.ts";
import { refusal, shown } from "./refuse.ts";
import { forgiveTypos, searchingFor } from "./served/forgive-typos.ts";
import type { Store } from "../store/store.ts";

type Options = Pick<QueryOptions, "catalogue" | "secret" | "paramsUnknown" | "vocabularies" | "now">;

/** The content of a request, as far as it is read without the store. */
export type ReadQuestion = {
  readonly request: QueryRequest;
  readonly dataset: DatasetDefinition;
  readonly limit: number;
  /** Equal for two bodies that request the same rows. */
  readonly question: string;
  readonly cursor: CursorState | undefined;
  /** The corrected text that replaces a misspelt search. */
  readonly searched: ReturnType<typeof forgiveTypos>;
  /** The parameters with that text applied. */
  readonly searching: ReadParams;
};

/** Finds the dataset, and reads limit, parameters and cursor. The returned function throws CallerError. */
export function createReadQuestion(options: Options) {
  const { catalogue, secret, paramsUnknown, vocabularies, now } = options;
  const byId = new Map(catalogue.map((dataset) => [dataset.agentId, dataset]));
  return (
    body: Readonly<Record<string, unknown>>,
    asker: Asker,
    accept: Parameters<typeof parseRequest>[1],
  ): ReadQuestion => {
    const request = parseRequest(body, accept, asker.mode);
    const found = findDataset(byId, request.agentId);
    if (!asker.mayRead(found)) throw new CallerError("FORBIDDEN", refusalOf(found));
    const { dataset, warnings } = reportedTo(found, asker);
    const limit = limitOf(dataset, request, asker.maxPage);
    const read = parseParams(dataset, request.params, paramsUnknown, { mode: asker.mode, nowMs: now() });
    boundLists(dataset, read, asker);
    const parsed = { ...read, warnings: [...read.warnings, ...warnings] };
    const question = questionOf(dataset, parsed, dataset !== found);
    const cursor = cursorOf(secret, request, question, dataset, now());
    // A walk continues with the text its first page searched for.
    const searched = cursor ? cursor.searched : forgiveTypos(dataset, parsed.given, vocabularies);
    return { request, dataset, limit, question, cursor, searched, searching: searchingFor(dataset, parsed, searched) };
  };
}

const refusalOf = ({ agentId, name, goesWith }: DatasetDefinition): string => {
  const also = goesWith === undefined ? "" : ` It needs the right to read agent_id ${goesWith.agentId} too.`;
  return `This key may not read agent_id ${agentId} (${name}).${also}`;
};

function findDataset(byId: ReadonlyMap<number, DatasetDefinition>, agentId: number): DatasetDefinition {
  const dataset = byId.get(agentId);
  if (dataset) return dataset;
  const known = [...byId.values()].map((one) => `${one.agentId} (${one.name})`).join(", ");
  throw new CallerError("UNKNOWN_AGENT", `No dataset has agent_id ${agentId}. Known: ${known}.`);
}

function limitOf(dataset: DatasetDefinition, request: QueryRequest, maxPage: number): number {
  const max = Math.min(dataset.limit.max, maxPage);
  const requested = request.page.limit ?? Math.min(dataset.limit.default, max);
  if (requested > max) {
    throw refusal("INVALID_PAGINATION", [
      {
        path: "pagination.limit",
        problem: `is over this key's maximum for ${dataset.name}`,
        expected: `1 to ${max}`,
        got: shown(requested),
      },
    ]);
  }
  return requested;
}

/** Throws INVALID_PARAMS if a list is longer than the plan allows. */
function boundLists({ params }: DatasetDefinition, { given }: ReadParams, { lists }: Asker): void {
  if (lists === undefined) return;
  const problems = Object.entries(given).flatMap(([name, { value }]) => {
    const count = params[name] === undefined ? 0 : itemsOf(params[name], value);
    if (count <= lists.most) return [];
    const expected = `at most ${lists.most} on the plan ${lists.plan}`;
    return [{ path: `params.${name}`, problem: `lists ${count} values`, expected }];
  });
  if (problems.length > 0) throw refusal("INVALID_PARAMS", problems);
}

function questionOf(dataset: DatasetDefinition, read: ReadParams, isWithheld: boolean): string {
  const values = Object.entries(read.given).map(([name, { value }]) => [
    name,
    typeof value === "bigint" ? String(value) : value,
  ]);
  const marks = [...(read.isNowhere ? ["nowhere"] : []), ...(isWithheld ? ["withheld"] : [])];
  return hash("sha256", JSON.stringify([dataset.agentId, values, ...marks]), "base64url");
}

function cursorOf(
  secret: Buffer,
  request: QueryRequest,
  question: string,
  dataset: DatasetDefinition,
  nowMs: number,
): CursorState | undefined {
  const text = request.page.cursor;
  if (text === undefined) return undefined;
  const bad = (problem: string) =>
    refusal("INVALID_PAGINATION", [
      {
        path: "pagination.cursor",
        problem,
        expected: "the next_cursor of an earlier page of the same question",
        got: shown(text),
      },
    ]);
  const state = readCursor(secret, text);
  if (!state) throw bad("is not a cursor that this service gave");
  if (state.question !== question) throw bad("belongs to another question");
  const ageHours = (nowMs - Number(state.snapshot) / 1_000) / 3_600_000;
  if (dataset.cursorHours !== undefined && ageHours > dataset.cursorHours)
    throw bad(`is older than ${dataset.cursorHours} hours: start again without a cursor`);
  return state;
}

type Reported = { readonly dataset: DatasetDefinition; readonly warnings: readonly string[] };

const without = new WeakMap<DatasetDefinition, Reported>();

/** The dataset as described to this caller: without figures of other datasets that it may not read. */
export function reportedTo(dataset: DatasetDefinition, asker: Pick<Asker, "mayRead">): Reported {
  const { withheld } = dataset;
  if (withheld === undefined || asker.mayRead(withheld.of)) return { dataset, warnings: [] };
  const { field, of, served } = withheld;
  const warning = `${field} is null: it belongs to agent_id ${of.agentId} (${of.name}), which this key may not read`;
  const reported = without.get(dataset) ?? { dataset: { ...dataset, served }, warnings: [warning] };
  without.set(dataset, reported);
  return reported;
}

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
