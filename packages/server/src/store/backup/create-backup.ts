import type { Meter, MoveProgress } from "./metered.ts";
import type { MovedTable } from "./moved-table.ts";
import type { RowPipe } from "./row-pipe.ts";
import { backUpTable } from "./back-up-table.ts";
import { listDrafts, listNames, readDraft, readManifest, removeDraft, writeDraft, writeManifest } from "./manifest.ts";
import type { BackupPart, BackupTable, Manifest } from "./manifest.ts";
import type { BackupStorage } from "./storage.ts";

export type BackupOptions = Meter & {
  readonly storage: BackupStorage;
  readonly pipe: RowPipe;
  readonly tables: readonly MovedTable[];
  /** What is known before the rows are read: the records are written already. */
  readonly begun: Omit<Manifest, "tables" | "ended_at" | "format">;
  readonly cutMs: number;
  readonly now: () => number;
  readonly sliceBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: MoveProgress) => void) | undefined;
};

export type Backup = { readonly manifest: Manifest; readonly newParts: number; readonly newBytes: number };

const SLICE_BYTES = 128_000_000;
const DRAFT_MS = 10_000;

/** Writes the rows of every table that lasts, then the manifest. What an earlier backup has the same is not written again. */
export async function createBackup(options: BackupOptions): Promise<Backup> {
  const { storage, tables, begun, now } = options;
  const earlier = await readEarlier(storage);
  const written: BackupTable[] = [];
  const draft = (): Manifest => ({ format: 1, ...begun, ended_at: null, tables: written });
  const made = { newParts: 0, newBytes: 0 };
  await writeDraft(storage, draft());
  let savedMs = now();
  for (const table of tables.filter(({ isPassing }) => !isPassing)) {
    const { name, columns } = table;
    const parts: BackupPart[] = [];
    written.push({ name, columns: [...columns], parts });
    await backUpTable(table, {
      ...options,
      sliceBytes: options.sliceBytes ?? SLICE_BYTES,
      prefix: begun.name,
      earlier: earlierOf(earlier, table),
      onPart: async (part, isNew, done, of) => {
        parts.push(part);
        made.newParts += isNew ? 1 : 0;
        made.newBytes += isNew ? part.bytes : 0;
        options.onProgress?.({ phase: "backup", table: name, done, of });
        if (!isNew || now() - savedMs < DRAFT_MS) return;
        await writeDraft(storage, draft());
        savedMs = now();
      },
    });
  }
  const manifest = { ...draft(), ended_at: new Date(now()).toISOString() };
  await writeManifest(storage, manifest);
  for (const name of await listDrafts(storage)) await removeDraft(storage, name);
  return { manifest, ...made };
}

/** The last backup that is whole, and those begun since: their parts may serve. */
async function readEarlier(storage: BackupStorage): Promise<readonly Manifest[]> {
  const last = (await listNames(storage)).at(-1);
  const drafts = (await listDrafts(storage)).filter((name) => last === undefined || name > last);
  const found = await Promise.all(drafts.map((name) => readDraft(storage, name)));
  return last === undefined ? found : [await readManifest(storage, last), ...found];
}

/** Parts whose columns are other ones are of no use. The newest come last. */
function earlierOf(earlier: readonly Manifest[], { name, columns }: MovedTable): BackupPart[][] {
  return earlier
    .flatMap(({ tables }) => tables)
    .filter((table) => table.name === name && JSON.stringify(table.columns) === JSON.stringify(columns))
    .map(({ parts }) => parts)
    .filter((parts) => parts.length > 0);
}
