import { rmSync } from "node:fs";
import type { Store } from "../../store/store.ts";
import { TokenReader } from "../token-reader.ts";
import { Damage } from "./damage.ts";
import { followIndex } from "./follow-index.ts";
import { COMPARED_EVERY_MS, type IndexOptions, type ServedIndex } from "./open-index.ts";
import { fedTable } from "./thread/feed-calls.ts";

export type OpenTokenIndex = Pick<ServedIndex, "changed" | "missed" | "failed" | "behindMs" | "close"> & {
  /** The index, if it has everything that is stored; otherwise the query falls back to the column engine. */
  readonly reader: () => TokenReader | undefined;
};

export type TokenIndexOptions = Pick<IndexOptions, "table" | "folder" | "thread" | "log" | "onDamage"> & {
  readonly store: Pick<Store, "read" | "rows">;
};

/**
 * Opens the index of tokens in a folder: builds it if absent or if its number of tokens differs, and follows the store.
 */
export function openTokenIndex({ store, table, folder, thread, log, onDamage }: TokenIndexOptions): OpenTokenIndex {
  const { name } = table;
  const writer = thread.writer({ kind: "tokens", folder, table: fedTable(table) }, store);
  let reader: TokenReader | undefined;
  const damage = new Damage((cause) => {
    log.error({ err: cause, table: name }, "the token index is damaged and will be rebuilt");
    onDamage?.(name);
  });
  const closeReader = (): void => {
    reader?.close();
    reader = undefined;
  };
  const discard = async (): Promise<void> => {
    closeReader();
    await writer.close();
    rmSync(folder, { recursive: true, force: true });
    damage.forget();
  };
  const following = followIndex(
    {
      table: name,
      apply: async (_left, comparing) => {
        if (damage.isFound) await discard();
        try {
          const { isNew } = await damage.watch(() => writer.apply([], comparing));
          if (isNew) closeReader();
          if (isNew) log.info({ table: name }, "the token index is built and now answers");
        } catch (cause) {
          // The thread may have replaced the file before it failed.
          closeReader();
          throw cause;
        }
        reader ??= new TokenReader(folder);
      },
      mark: () => reader?.mark() ?? 0,
      close: writer.close,
    },
    log,
  );
  const compare = (): void => following.changed("unknown");
  compare();
  const timer = setInterval(compare, COMPARED_EVERY_MS).unref();
  return {
    changed: following.changed,
    missed: following.missed,
    failed: (cause) => {
      damage.look(cause);
      compare();
    },
    reader: () => (!damage.isFound && following.isWhole() ? reader : undefined),
    behindMs: following.behindMs,
    close: async () => {
      clearInterval(timer);
      await following.close();
      closeReader();
    },
  };
}
