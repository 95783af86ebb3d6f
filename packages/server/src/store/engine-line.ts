import { sql } from "../definition/sql.ts";
import { connect, type Address, type Connection } from "./connection.ts";
import { openClusterLine } from "./cluster/cluster-line.ts";
import type { ClusterNodes } from "./cluster/cluster-nodes.ts";
import type { ClusterPlace } from "./cluster/cluster-node.ts";
import type { S3Place } from "./cold/cold-place.ts";
import { keepEngine, type EngineNews } from "./embedded/keep-engine.ts";
import { findEngine, startEngine, type Engine } from "./embedded/start-engine.ts";
import { toNumbered, type Numbered, StoreError } from "./statement.ts";

const START_ATTEMPTS = 3;
/** The first statement lists the names of tables. */
const FIRST_ANSWER_MS = 60_000;

/** An embedded engine's folder, and where its old rows may be. */
type FolderPlace = { readonly folder: string; readonly cold?: S3Place | undefined };

/** A running engine; `isOwn`: it lives as long as the process that opens it, which is its only writer. */
type AddressPlace = { readonly address: Address; readonly isOwn?: boolean };
export type EnginePlace = (FolderPlace | AddressPlace | ClusterPlace) & {
  /** Called when an embedded engine of ours ended and was started again. */
  readonly onEngine?: (news: EngineNews) => void;
};

/** Access to an engine. */
export type EngineLine = {
  readonly address: () => Address;
  /**
   * The same object for the engine's lifetime; a restarted engine gets another one, and the old one answers no more.
   */
  readonly connection: () => Connection;
  /** For reads: they may go to another node than writes, and are retried elsewhere if that node is gone. */
  readonly reading: () => Connection;
  /** Sends a statement unchanged to every engine that holds rows. Throws StoreError "absent" if one is away. */
  readonly everyNode: (statement: Numbered) => Promise<readonly Buffer[]>;
  /** For statements that change rows in place (DELETE, ALTER, TRUNCATE, OPTIMIZE): on a cluster each shard's tables. */
  readonly shards: () => Connection;
  /** Absent if one engine holds everything. */
  readonly cluster?: ClusterNodes;
  /**
   * Whether a restart of the engine shows as a new connection; otherwise another engine may be behind the same address.
   */
  readonly isOwn: boolean;
  /** The reason why it does not answer, if known. */
  readonly trouble: () => string | undefined;
  /** Resolves when an engine of ours ended and could not be restarted. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Starts or finds the embedded engine of a folder, or connects to a running one or to a cluster. Throws StoreError
 * ("locked", "absent").
 */
export async function openEngineLine(place: EnginePlace): Promise<EngineLine> {
  if ("address" in place) return lineTo(place);
  if ("cluster" in place) return openClusterLine(place);
  const running = await findEngine(place.folder);
  return running ? lineTo({ address: running }) : keptLine(place, place.onEngine ?? (() => undefined));
}

function lineTo({ address, isOwn = false }: AddressPlace): EngineLine {
  const connection = connect(address);
  return {
    address: () => address,
    connection: () => connection,
    reading: () => connection,
    shards: () => connection,
    everyNode: async (statement) => [(await connection.send(statement)).bytes],
    isOwn,
    trouble: () => undefined,
    ended: new Promise<void>(() => {}),
    close: connection.close,
  };
}

async function keptLine(place: FolderPlace, report: (news: EngineNews) => void): Promise<EngineLine> {
  const { folder, cold } = place;
  const { first, opened } = await startAnswering(place);
  let { address } = first;
  let connection = opened;
  const kept = keepEngine(first, {
    // On the same port, where other processes look for it.
    start: (signal) => startEngine(folder, { port: Number(new URL(address.url).port), signal, cold }),
    onEnded: () => connection.cut(),
    onStarted: async (engine) => {
      const next = connect(engine.address);
      await dropStaging(next);
      ({ address } = engine);
      connection = next;
    },
    report,
  });
  return {
    address: () => address,
    connection: () => connection,
    reading: () => connection,
    shards: () => connection,
    everyNode: async (statement) => [(await connection.send(statement)).bytes],
    isOwn: true,
    trouble: kept.trouble,
    ended: kept.ended,
    close: async () => {
      await connection.close();
      await kept.stop();
    },
  };
}

/** An engine that listens but does not answer its first statement is restarted. */
async function startAnswering({ folder, cold }: FolderPlace): Promise<{ first: Engine; opened: Connection }> {
  for (let attempt = 1; ; attempt += 1) {
    const first = await startEngine(folder, { cold });
    const opened = connect(first.address);
    try {
      await dropStaging(opened);
      return { first, opened };
    } catch (error) {
      opened.cut();
      await first.stop();
      if (attempt >= START_ATTEMPTS || !(error instanceof StoreError && error.kind === "cancelled")) throw error;
    }
  }
}

/** Drops what an earlier process left behind: staging tables only hold rows that are fetched again, locks are stale. */
async function dropStaging(connection: Connection): Promise<void> {
  const listed = await connection.send(
    toNumbered(
      sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND match(name, '^(staged|fresh|schema_turn)_') FORMAT TSV`,
    ),
    { signal: AbortSignal.timeout(FIRST_ANSWER_MS) },
  );
  const names = listed.bytes.toString("utf8").split("\n");
  for (const table of names.filter((line) => line !== ""))
    await connection.send(toNumbered({ kind: "sql", text: `DROP TABLE IF EXISTS ${table}`, values: [] }));
}
