import { randomBytes } from "node:crypto";
import type { BlockScope } from "../definition/block-scope.ts";
import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import { fromDefinition, sql, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Connection } from "./connection.ts";
import { createStaging } from "./ddl.ts";
import type { EngineLine } from "./engine-line.ts";
import { ORDERED, STAGING } from "./insert-settings.ts";
import { keepFresh, modeOf } from "./keep-fresh.ts";
import { NewestBlock, dropStale, findStale, mendCopy, type StaleRows } from "./stale-rows.ts";
import { newestAhead, type Stamps } from "./stamps.ts";
import { publishRows, sentRows, parquetRows, type StagedRows, stageRows } from "./stage-rows.ts";
import { StoreError, toNumbered } from "./statement.ts";
import type { Inserted, InsertMode, Replacement } from "./store.ts";
import { countStandIns, dropOutdated, findOutdated, type Outdated } from "./stand-ins.ts";
import { Unfinished } from "./unfinished.ts";

const MOST_PASSES = 200;
const NOTHING: Inserted = { stored: 0, known: 0 };
type Storing = [stage: () => Promise<number>, mode: InsertMode | undefined, replacement?: Replacement];

/** What a writer needs of the way to the engine. */
export type WriterLine = Pick<EngineLine, "connection" | "shards" | "everyNode" | "isOwn" | "cluster">;

/**
 * Stores batches of one table, one at a time. A batch is parsed into a staging table, compared with what is stored,
 * and what is new goes to the copies first and to the table itself last: whatever the table has, its copies have.
 */
export class TableWriter {
  readonly #line: WriterLine;
  /** Of the batch under way: staging tables do not outlive the engine, so a batch stays with one life of it. */
  #connection: Connection;
  #shards: Connection;
  readonly #table: TableDefinition;
  readonly #stamps: Stamps;
  /** Named for the fence's token and for the process: see endWriters. */
  readonly #staged: string;
  readonly #fresh: string;
  readonly #unfinished: Unfinished;
  readonly #newestBlock: NewestBlock;
  /** Of its staging tables, those that may have rows. */
  readonly #filled = new Set<string>();
  #queue: Promise<unknown> = Promise.resolve();
  #isReady = false;
  #isAhead = false;

  constructor(line: WriterLine, table: TableDefinition, stamps: Stamps, token: number) {
    this.#line = line;
    this.#connection = line.connection();
    this.#shards = line.shards();
    this.#table = table;
    this.#stamps = stamps;
    this.#newestBlock = new NewestBlock(table);
    const writer = `${token}_${randomBytes(6).toString("hex")}`;
    this.#staged = `staged_${table.name}_${writer}`;
    this.#fresh = `fresh_${table.name}_${writer}`;
    this.#unfinished = new Unfinished({
      ...line,
      table,
      nextVersion: stamps.next,
      run: (statement) => this.#run(statement),
      alter: (statement) => this.#alter(statement),
      read: (statement) => this.#read(statement),
    });
  }

  insert(rows: readonly InsertRow[] | PackedRows, mode: InsertMode | undefined): Promise<Inserted> {
    if ((isPacked(rows) ? rows.starts : rows).length === 0) return Promise.resolve(NOTHING);
    return this.#inTurn(() => {
      this.#newestBlock.note(rows);
      const how = modeOf(this.#table, mode);
      // Without staging, which compares, and ends with a former writer: there is none.
      if (how === "absent" && this.#isDirect && this.#line.isOwn)
        return this.#stage(rows, this.#table.name).then((stored) => ({ stored, known: 0 }));
      return this.#store(() => this.#stage(rows), how);
    });
  }

  /** Stores what is all there is of a run of blocks, after taking away what else is stored of them, where there can be any. */
  replace(rows: readonly InsertRow[], replacement: Replacement): Promise<Inserted> {
    return this.#inTurn(() => {
      const isAhead = this.#newestBlock.isBefore(replacement.scope);
      if (rows.length === 0 && isAhead) return Promise.resolve(NOTHING);
      this.#newestBlock.note(rows);
      return this.#store(() => this.#stage(rows), undefined, isAhead ? undefined : replacement);
    });
  }

  /** Gives the copies what they lack of the table's rows in a range of time. */
  mend(since: string, until: string): Promise<void> {
    return this.#inTurn(async () => {
      for (const copy of Object.keys(this.#table.copies ?? {}))
        await this.#run(mendCopy(this.#table, copy, since, until));
    });
  }

  load(parquet: Buffer): Promise<Inserted> {
    return this.#inTurn(() => {
      this.#newestBlock.forget();
      return this.#store(() => this.#send(parquetRows(this.#table), parquet), modeOf(this.#table));
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      this.#follow();
      await this.#goAhead();
      return work();
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  #follow(): void {
    const connection = this.#line.connection();
    if (connection === this.#connection) return;
    this.#connection = connection;
    this.#shards = this.#line.shards();
    this.#isReady = false;
    this.#isAhead = false;
    this.#newestBlock.forget();
  }

  /** Waits for what is under way and takes the staging tables away. */
  async close(): Promise<void> {
    await this.#queue;
    if (!this.#isReady) return;
    await this.#dropStaging();
  }

  /** On every node: another one may have been asked before. */
  async #dropStaging(): Promise<void> {
    for (const name of [this.#staged, this.#fresh])
      await this.#line.everyNode(toNumbered(fromDefinition(`DROP TABLE IF EXISTS ${name} SYNC`)));
  }

  async #store(...storing: Storing): Promise<Inserted> {
    if (!this.#isReady) await this.#prepare();
    // Where it fails the copies may have rows that the table has not, and the staging tables those of this batch.
    this.#isReady = false;
    try {
      const inserted = await this.#storeBatch(...storing);
      await this.#empty();
      this.#isReady = true;
      return inserted;
    } catch (error) {
      this.#newestBlock.forget();
      await this.#empty().catch(() => undefined);
      throw error;
    }
  }

  async #storeBatch(...[stage, mode, replacement]: Storing): Promise<Inserted> {
    const sent = await stage();
    await this.#unfinished.settle();
    const taken = replacement === undefined ? 0 : await this.#takeBack(replacement);
    if (sent > 0 && mode === "absent") await this.#publish(this.#staged);
    const isCompared = sent > 0 && mode !== "absent";
    const inserted = isCompared ? await this.#storeNew(sent, mode) : { stored: sent, known: 0 };
    if (replacement !== undefined) await this.#learnNewestBlock(replacement.scope);
    return taken > 0 ? { ...inserted, taken } : inserted;
  }

  /** Most batches of a poll bring nothing new, and a statement costs the same for a table without rows. */
  async #empty(): Promise<void> {
    for (const name of this.#filled) await this.#run(fromDefinition(`TRUNCATE TABLE ${name}`));
    this.#filled.clear();
  }

  async #storeNew(sent: number, mode: Exclude<InsertMode, "absent"> | undefined): Promise<Inserted> {
    const kinds = await this.#countStandIns();
    const outdated = kinds.real > 0 ? await this.#findOutdated() : undefined;
    if (!this.#isDirect) this.#filled.add(this.#fresh);
    const fresh = await this.#run(
      keepFresh(this.#table, {
        staged: this.#staged,
        into: this.#isDirect ? this.#table.name : this.#fresh,
        mode,
        hasStandIns: kinds.standing > 0,
        hasOutdated: outdated !== undefined,
      }),
    );
    if (fresh === 0) this.#filled.delete(this.#fresh);
    else if (!this.#isDirect) await this.#publish(this.#fresh);
    if (!this.#line.isOwn) await this.#requireStaged(sent);
    return { stored: fresh, known: sent - fresh, ...(await this.#drop(outdated)) };
  }

  /** An engine that was restarted behind its address has the staging tables still, and nothing in them. */
  async #requireStaged(sent: number): Promise<void> {
    const held = await this.#read<{ n: number }>(
      sql`SELECT toUInt32(count()) AS n FROM ${fromDefinition(this.#staged)}`,
    );
    if (held?.n !== sent) throw new StoreError("absent", 0, "the engine was restarted while rows were being stored");
  }

  /** What is stored from now on is stamped behind what is there, whatever the clock says. */
  async #goAhead(): Promise<void> {
    if (this.#isAhead) return;
    const question = newestAhead(this.#table, this.#stamps.next());
    const found = question && (await this.#read<{ newest: string }>(question));
    if (found !== undefined) this.#stamps.startAfter(BigInt(found.newest));
    this.#isAhead = true;
  }

  /**
   * What is new is written once and never asked for again: it goes from the staging table into the table itself. A
   * cluster counts what goes to each shard, so what is new is counted before.
   */
  get #isDirect(): boolean {
    const { copies, keepVersionsHours } = this.#table;
    if (this.#line.cluster !== undefined) return false;
    return keepVersionsHours === undefined && Object.keys(copies ?? {}).length === 0;
  }

  /**
   * Takes away what is stored of the blocks and not staged, from the copies first: as long as the table itself has a
   * row, it is found again.
   */
  async #takeBack({ scope, before }: Replacement): Promise<number> {
    const copies = Object.keys(this.#table.copies ?? {});
    let taken = 0;
    for (let pass = 0; ; pass += 1) {
      const stale = await this.#read<StaleRows>(findStale(this.#table, this.#staged, scope));
      if (stale === undefined || stale.rows === 0) break;
      if (pass === 0) await before(stale);
      if (pass === MOST_PASSES) throw new Error(`${this.#table.name} keeps rows that were taken away`);
      for (const statement of dropStale(this.#table, [...copies, this.#table.name], stale))
        await this.#alter(statement);
      taken += stale.hashes.length;
    }
    return taken;
  }

  /** Only where no other process may write there. */
  async #learnNewestBlock(scope: BlockScope): Promise<void> {
    if (!this.#line.isOwn || this.#newestBlock.isKnown()) return;
    const found = await this.#read<{ newest: number }>(this.#newestBlock.question(scope));
    this.#newestBlock.learn(found?.newest ?? 0, scope);
  }

  async #prepare(): Promise<void> {
    if (this.#line.cluster !== undefined) await this.#dropStaging();
    await this.#run(fromDefinition(createStaging(this.#table, this.#staged)));
    await this.#run(fromDefinition(createStaging(this.#table, this.#fresh)));
    this.#filled.clear();
    this.#unfinished.forget();
  }

  async #stage(rows: readonly InsertRow[] | PackedRows, into = this.#staged): Promise<number> {
    const { count, data, staged } = sentRows(this.#table, rows);
    if (count > 0) await this.#send(staged, data, into);
    return count;
  }

  async #send(staged: Omit<StagedRows, "version">, data: Buffer, into = this.#staged): Promise<number> {
    if (into === this.#staged) this.#filled.add(into);
    const version = this.#stamps.next();
    const statement = stageRows(this.#table, into, { ...staged, version });
    return (await this.#connection.send(toNumbered(statement), { data, settings: STAGING })).writtenRows;
  }

  /** How many staged rows are real and how many stand in; none of either for tables without stand-ins. */
  async #countStandIns(): Promise<{ readonly real: number; readonly standing: number }> {
    const none = { real: 0, standing: 0 };
    if (this.#table.standIns === undefined) return none;
    return (await this.#read<typeof none>(countStandIns(this.#table, this.#staged))) ?? none;
  }

  /** Looks for the groups of all rows that were sent, not only the fresh ones: a repeat ends what was cut off. */
  async #findOutdated(): Promise<Outdated | undefined> {
    const found = await this.#read<Outdated>(findOutdated(this.#table, this.#staged));
    return found === undefined || found.groups.length === 0 ? undefined : found;
  }

  async #drop(outdated: Outdated | undefined): Promise<Pick<Inserted, "replaced" | "replacedAt">> {
    if (outdated === undefined) return {};
    for (const statement of dropOutdated(this.#table, outdated)) await this.#alter(statement);
    return { replaced: outdated.rows, replacedAt: outdated.moments };
  }

  async #publish(fresh: string): Promise<void> {
    for (const statement of publishRows(this.#table, fresh)) await this.#run(statement);
  }

  async #run(statement: Sql): Promise<number> {
    return (await this.#connection.send(toNumbered(statement), { settings: ORDERED })).writtenRows;
  }

  async #alter(statement: Sql): Promise<void> {
    await this.#shards.send(toNumbered(statement), { settings: ORDERED });
  }

  async #read<T>(statement: Sql): Promise<T | undefined> {
    const { bytes } = await this.#connection.send(toNumbered(sql`${statement} FORMAT JSONEachRow`));
    const line = bytes.toString("utf8").split("\n")[0];
    return line ? (JSON.parse(line) as T) : undefined;
  }
}
