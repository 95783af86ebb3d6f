import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import { sql, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Connection } from "./connection.ts";
import type { EngineLine } from "./engine-line.ts";
import { ORDERED, STAGING, unstaged } from "./statement-settings.ts";
import { keepFresh, modeOf } from "./keep-fresh.ts";
import { dropStale, findStale, mendCopy, type StaleRows } from "./stale-rows.ts";
import { newestAhead, type Stamps } from "./stamps.ts";
import { publishRows, sentRows, parquetRows, type StagedRows, stageRows } from "./stage-rows.ts";
import { engineRestarted, StagingTables } from "./staging-tables.ts";
import { toNumbered } from "./statement.ts";
import type { Inserted, InsertMode, Replacement } from "./store.ts";
import { countProvisional, dropOutdated, findOutdated, type Outdated, withoutKept } from "./provisional-rows.ts";
import { TableHead } from "./table-head.ts";
import { Unfinished } from "./unfinished.ts";

const MAX_PASSES = 200;
const NOTHING: Inserted = { stored: 0, known: 0 };
type Storing = [stage: () => Promise<number>, mode: InsertMode | undefined, replacement?: Replacement];

/** The engine access that a writer needs. */
export type WriterLine = Pick<EngineLine, "connection" | "shards" | "everyNode" | "isOwn" | "cluster">;

/**
 * Stores batches of one table, one at a time. A batch is parsed into a staging table, compared with the stored rows,
 * and the new rows go to the copies first and to the table itself last, so that the copies always have whatever the
 * table has. A batch newer than all stored rows is neither staged nor compared.
 */
export class TableWriter {
  readonly #line: WriterLine;
  /** Connection of the current batch: staging tables do not outlive the engine process, so a batch stays with one. */
  #connection: Connection;
  #shards: Connection;
  readonly #table: TableDefinition;
  readonly #stamps: Stamps;
  readonly #staging: StagingTables;
  readonly #unfinished: Unfinished;
  readonly #head: TableHead;
  #queue: Promise<unknown> = Promise.resolve();
  #isReady = false;
  #isAhead = false;

  constructor(line: WriterLine, table: TableDefinition, stamps: Stamps, token: number) {
    this.#line = line;
    this.#connection = line.connection();
    this.#shards = line.shards();
    this.#table = table;
    this.#stamps = stamps;
    this.#head = new TableHead(table);
    this.#staging = new StagingTables(table, token);
    const engine = { run: this.#run, alter: this.#alter, read: this.#read };
    this.#unfinished = new Unfinished({ ...line, table, stamps, ...engine });
  }

  insert(rows: readonly InsertRow[] | PackedRows, mode: InsertMode | undefined): Promise<Inserted> {
    if ((isPacked(rows) ? rows.starts : rows).length === 0) return Promise.resolve(NOTHING);
    return this.#withLock(async () => {
      const how = modeOf(this.#table, mode);
      const isNew = this.#isAlone && (how === "absent" ? this.#isDirect : await this.#head.areNew(rows, this.#read));
      this.#head.note(rows);
      return isNew ? this.#storeUnstaged(rows) : this.#store(() => this.#stage(rows), how);
    });
  }

  /** Stores the complete rows of a block range, after deleting any other stored rows of these blocks. */
  replace(rows: readonly InsertRow[], replacement: Replacement): Promise<Inserted> {
    return this.#withLock(async () => {
      const { scope } = replacement;
      const isAhead = this.#head.isBefore(scope);
      if (rows.length === 0 && isAhead) return NOTHING;
      const isNew = this.#isAlone && (await this.#head.areNew(rows, this.#read, scope));
      this.#head.note(rows);
      if (isNew) return this.#storeUnstaged(withoutKept(this.#table, rows));
      return this.#store(() => this.#stage(rows), undefined, isAhead ? undefined : replacement);
    });
  }

  /** Inserts into the copies the table's rows that they lack in a range of time. */
  mend(since: string, until: string): Promise<void> {
    return this.#withLock(async () => {
      for (const copy of Object.keys(this.#table.copies ?? {}))
        await this.#run(mendCopy(this.#table, copy, since, until));
    });
  }

  load(parquet: Buffer): Promise<Inserted> {
    return this.#withLock(() => {
      this.#head.forget();
      return this.#store(() => this.#send(parquetRows(this.#table), parquet), modeOf(this.#table));
    });
  }

  #withLock<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(async () => {
      this.#follow();
      await this.#advanceStamps();
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
    this.#forget();
  }

  /** Rows other than those noted here may be stored, in the copies too. */
  #forget(): void {
    this.#head.forget();
    this.#unfinished.forget();
  }

  /** Waits for the batch in progress and drops the staging tables. */
  async close(): Promise<void> {
    await this.#queue;
    if (!this.#isReady) return;
    await this.#staging.drop(this.#everyNode);
  }

  async #store(...storing: Storing): Promise<Inserted> {
    if (!this.#isReady) await this.#prepare();
    // On failure the copies may have rows that the table lacks, and the staging tables may have those of this batch.
    this.#isReady = false;
    try {
      const inserted = await this.#storeBatch(...storing);
      await this.#staging.empty(this.#run);
      this.#isReady = true;
      return inserted;
    } catch (error) {
      this.#forget();
      await this.#staging.empty(this.#run).catch(() => undefined);
      throw error;
    }
  }

  /** Sends rows of which none is stored to each sort order unchanged, to the table itself last. */
  async #storeUnstaged(rows: readonly InsertRow[] | PackedRows): Promise<Inserted> {
    const { count, data, staged } = sentRows(this.#table, rows);
    try {
      await this.#unfinished.settle();
      const version = this.#stamps.next();
      for (const name of [...Object.keys(this.#table.copies ?? {}), this.#table.name])
        await this.#sendTo(name, { ...staged, version }, data, unstaged(count));
    } catch (error) {
      this.#forget();
      throw error;
    }
    return { stored: count, known: 0 };
  }

  async #storeBatch(...[stage, mode, replacement]: Storing): Promise<Inserted> {
    // First, since a copy it restores gets a version, and the batch needs a later one.
    await this.#unfinished.settle();
    const sent = await stage();
    const taken = replacement === undefined ? 0 : await this.#retract(replacement);
    if (sent > 0 && mode === "absent" && (await this.#publish(this.#staging.staged)) === 0) throw engineRestarted();
    const isCompared = sent > 0 && mode !== "absent";
    const inserted = isCompared ? await this.#storeNew(sent, mode) : { stored: sent, known: 0 };
    // Only if no other process may write to the store.
    if (replacement !== undefined && this.#line.isOwn) await this.#head.learn(replacement.scope, this.#read);
    return taken > 0 ? { ...inserted, taken } : inserted;
  }

  async #storeNew(sent: number, mode: Exclude<InsertMode, "absent"> | undefined): Promise<Inserted> {
    const kinds = await this.#countProvisional();
    const outdated = kinds.real > 0 ? await this.#findOutdated() : undefined;
    if (!this.#isDirect) this.#staging.fill(this.#staging.fresh);
    const fresh = await this.#run(
      keepFresh(this.#table, {
        staged: this.#staging.staged,
        into: this.#isDirect ? this.#table.name : this.#staging.fresh,
        mode,
        hasProvisional: kinds.standing > 0,
        hasOutdated: outdated !== undefined,
      }),
    );
    if (fresh === 0) this.#staging.spare(this.#staging.fresh);
    else if (!this.#isDirect) await this.#publish(this.#staging.fresh);
    if (!this.#line.isOwn) await this.#staging.requireHeld(sent, this.#read);
    return { stored: fresh, known: sent - fresh, ...(await this.#drop(outdated)) };
  }

  /** Ensures that rows stored from now on get later stamps than all stored rows, whatever the clock says. */
  async #advanceStamps(): Promise<void> {
    if (this.#isAhead) return;
    const question = newestAhead(this.#table, this.#stamps.next());
    const found = question && (await this.#read<{ newest: string }>(question));
    if (found !== undefined) this.#stamps.startAfter(BigInt(found.newest));
    this.#isAhead = true;
  }

  /**
   * New rows are written once and not read again, so they go from the staging table directly into the table itself. A
   * cluster counts the rows sent to each shard, so there new rows are counted first.
   */
  get #isDirect(): boolean {
    const { copies, keepVersionsHours } = this.#table;
    if (this.#line.cluster !== undefined) return false;
    return keepVersionsHours === undefined && Object.keys(copies ?? {}).length === 0;
  }

  /** Staging also guards against a former writer, and compares with rows of other processes: here there are neither. */
  get #isAlone(): boolean {
    return this.#line.isOwn && this.#line.cluster === undefined && this.#table.copiedColumns === undefined;
  }

  /**
   * Deletes the stored rows of the blocks that are not staged, from the copies first: as long as the table itself has a
   * row, a retry finds it again.
   */
  async #retract({ scope, before }: Replacement): Promise<number> {
    const copies = Object.keys(this.#table.copies ?? {});
    let taken = 0;
    for (let pass = 0; ; pass += 1) {
      const stale = await this.#read<StaleRows>(findStale(this.#table, this.#staging.staged, scope));
      if (stale === undefined || stale.rows === 0) break;
      if (pass === 0) await before(stale);
      if (pass === MAX_PASSES) throw new Error(`${this.#table.name} still has rows that were removed`);
      for (const statement of dropStale(this.#table, [...copies, this.#table.name], stale))
        await this.#alter(statement);
      taken += stale.hashes.length;
    }
    return taken;
  }

  async #prepare(): Promise<void> {
    if (this.#line.cluster !== undefined) await this.#staging.drop(this.#everyNode);
    await this.#staging.create(this.#run);
    this.#unfinished.forget();
  }

  async #stage(rows: readonly InsertRow[] | PackedRows): Promise<number> {
    const { count, data, staged } = sentRows(this.#table, rows);
    if (count > 0) await this.#send(staged, data);
    return count;
  }

  async #send(staged: Omit<StagedRows, "version">, data: Buffer): Promise<number> {
    this.#staging.fill(this.#staging.staged);
    return this.#sendTo(this.#staging.staged, { ...staged, version: this.#stamps.next() }, data);
  }

  async #sendTo(name: string, rows: StagedRows, data: Buffer, settings = STAGING): Promise<number> {
    const statement = toNumbered(stageRows(this.#table, name, rows));
    return (await this.#connection.send(statement, { data, settings })).writtenRows;
  }

  /** Counts the staged real rows and stand-in rows; both 0 for tables without stand-ins. */
  async #countProvisional(): Promise<{ readonly real: number; readonly standing: number }> {
    const none = { real: 0, standing: 0 };
    if (this.#table.provisional === undefined) return none;
    return (await this.#read<typeof none>(countProvisional(this.#table, this.#staging.staged))) ?? none;
  }

  /** Checks the groups of all rows sent, not only new ones, so that a repeated call completes an interrupted one. */
  async #findOutdated(): Promise<Outdated | undefined> {
    const found = await this.#read<Outdated>(findOutdated(this.#table, this.#staging.staged));
    return found === undefined || found.groups.length === 0 ? undefined : found;
  }

  async #drop(outdated: Outdated | undefined): Promise<Pick<Inserted, "replaced" | "replacedAt">> {
    if (outdated === undefined) return {};
    for (const statement of dropOutdated(this.#table, outdated)) await this.#alter(statement);
    return { replaced: outdated.rows, replacedAt: outdated.moments };
  }

  /** Returns the number of rows that the table itself got. */
  async #publish(fresh: string): Promise<number> {
    let written = 0;
    for (const statement of publishRows(this.#table, fresh)) written = await this.#run(statement);
    return written;
  }

  readonly #run = async (statement: Sql): Promise<number> =>
    (await this.#connection.send(toNumbered(statement), { settings: ORDERED })).writtenRows;

  readonly #alter = async (statement: Sql): Promise<void> =>
    void (await this.#shards.send(toNumbered(statement), { settings: ORDERED }));

  /** On every node, because an earlier batch may have gone to another one. */
  readonly #everyNode = (statement: Sql): Promise<unknown> => this.#line.everyNode(toNumbered(statement));

  readonly #read = async <T>(statement: Sql): Promise<T | undefined> => {
    const { bytes } = await this.#connection.send(toNumbered(sql`${statement} FORMAT JSONEachRow`));
    const line = bytes.toString("utf8").split("\n")[0];
    return line ? (JSON.parse(line) as T) : undefined;
  };
}
