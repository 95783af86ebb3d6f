import { useMemo, type ReactElement } from "react";
import { useStore, type StoredTable, type StoreEngine } from "../../api/store.ts";
import { showBytes, showSpan } from "../../read/value-text.ts";
import { showFigure } from "../../read/exact-figures.ts";
import { figureColumn, timestampColumn } from "../../read/columns.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import { Meter, Stat } from "../../ui/indicators.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { BriefTimestamp } from "../../read/values.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import { diskBytesOf, sizeOf } from "./size-of.ts";

interface EngineCardProps {
  readonly engine: StoreEngine;
  readonly tables: readonly StoredTable[];
  readonly backedUpAt: string | null;
}

const toSize = (bytes: number | null): string => (bytes === null ? "–" : showBytes(bytes));

/** The store as a whole, and its engine. */
function EngineCard({ engine, tables, backedUpAt }: EngineCardProps): ReactElement {
  const { rows, diskBytes, coldBytes, uncompressedBytes } = sizeOf(tables);
  const disk = engine.disk_free_bytes;
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
        <Stat label="Rows" value={showFigure(rows)} note={`in ${tables.length} tables`} />
        <Stat
          label="On disk"
          value={showBytes(diskBytes)}
          note={`${coldBytes > 0 ? "with object storage " : ""}of ${showBytes(uncompressedBytes)} uncompressed`}
        />
        {coldBytes > 0 ? (
          <Stat label="In object storage" value={showBytes(coldBytes)} note="old weeks of books" />
        ) : null}
        <Stat
          label="Disk free"
          value={toSize(disk)}
          note={engine.disk_total_bytes === null ? undefined : `of ${toSize(engine.disk_total_bytes)}`}
        />
        <Stat
          label="Memory"
          value={toSize(engine.memory_bytes)}
          note={engine.memory_limit_bytes === null ? undefined : `of ${toSize(engine.memory_limit_bytes)}`}
        />
        <Stat
          label="Engine"
          value={engine.version}
          note={`up ${showSpan(engine.up_seconds)}, ${engine.queries} queries and ${engine.merges} merges running`}
        />
        <Stat label="Last backup" value={backedUpAt === null ? "none" : <BriefTimestamp at={backedUpAt} />} />
      </dl>
    </Card>
  );
}

const COLD: TableColumn<StoredTable> = {
  id: "cold",
  header: "In object storage",
  align: "right",
  about: "Old rows that the engine moved there",
  sortValue: ({ cold_bytes }) => cold_bytes,
  cell: ({ cold_bytes }) => (cold_bytes === 0 ? "–" : showBytes(cold_bytes)),
};

function tableColumns(largest: number, hasCold: boolean): TableColumn<StoredTable>[] {
  return [
    {
      id: "name",
      header: "Table",
      isRowHeader: true,
      sortValue: ({ name }) => name,
      cell: ({ name, copy_of, about }) => (
        <span title={about ?? undefined} className="block max-w-96">
          <span className="font-medium break-words">{name}</span>
          {copy_of === null ? null : <span className="block text-xs text-ink-faint">reordered copy of {copy_of}</span>}
        </span>
      ),
    },
    figureColumn("rows", "Rows"),
    {
      id: "bytes",
      header: "On disk",
      align: "right",
      sortValue: diskBytesOf,
      cell: (table) => showBytes(diskBytesOf(table)),
    },
    ...(hasCold ? [COLD] : []),
    {
      id: "share",
      header: "Size",
      about: "On disk and in object storage, relative to the largest table",
      cell: ({ name, bytes }) => (
        <Meter label={`Size of ${name}`} value={bytes} max={largest} text={showBytes(bytes)} />
      ),
    },
    {
      id: "ratio",
      header: "Compressed",
      align: "right",
      about: "Uncompressed size divided by compressed size",
      sortValue: ({ compression }) => compression,
      cell: ({ compression }) => (compression === null ? "–" : `${compression.toFixed(1)}×`),
    },
    figureColumn("parts", "Parts", { about: "Data parts of the table, which the engine merges in the background" }),
    timestampColumn("newest_at", "Newest", "–", "The newest time of its rows"),
  ];
}

export default function OperatorStorePage(): ReactElement {
  const store = useStore();
  const tables = useMemo(() => store.data?.tables ?? [], [store.data]);
  const largest = Math.max(0, ...tables.map(({ bytes }) => bytes));
  const hasCold = tables.some(({ cold_bytes }) => cold_bytes > 0);
  const columns = useMemo(() => tableColumns(largest, hasCold), [largest, hasCold]);
  return (
    <>
      <PageHeader title="Store" about="The tables of the column engine, by size on disk." />
      {store.isError ? <ErrorNote error={store.error} onRetry={() => void store.refetch()} /> : null}
      {store.isPending ? <Spinner label="Loading tables" /> : null}
      {store.data === undefined ? null : (
        <div className="flex flex-col gap-4">
          <EngineCard engine={store.data.engine} tables={tables} backedUpAt={store.data.last_backup_at} />
          <Card isFlush>
            <DataTable
              caption="Tables of the store"
              rows={tables}
              columns={columns}
              rowKey={({ name }) => name}
              initialSort={{ id: "bytes", isDescending: true }}
              maxHeightPx={720}
              empty={<Empty title="The store has no table yet" />}
            />
          </Card>
        </div>
      )}
    </>
  );
}
