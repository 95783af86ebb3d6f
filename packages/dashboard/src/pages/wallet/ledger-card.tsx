import { useMemo, type ReactElement } from "react";
import { CoverageNote } from "../../read/answer-notes.tsx";
import { Figure, MarketLink, Timestamp } from "../../read/values.tsx";
import { joinCoverage } from "../../read/join-coverage.ts";
import { useRequested } from "../../read/use-requested.ts";
import { usePages } from "../../read/dataset-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { Empty, ErrorNote, Spinner } from "../../ui/content-states.tsx";
import type { TableColumn } from "../../ui/table-column.ts";
import { useDatasets } from "../../api/datasets.ts";

const LEDGER = 1002;
const PAGE = 500;
const MAX_PAGES = 20;

type LedgerRow = {
  readonly timestamp: string;
  readonly kind: string;
  readonly token_id: string | null;
  readonly condition_id: string | null;
  readonly slug: string | null;
  readonly outcome: string | null;
  readonly shares: string;
  readonly usd: string;
  readonly fee_usd: string;
  readonly price: string | null;
  readonly transaction_hash: string;
  readonly log_index: number;
  readonly place: number;
};

const COLUMNS: readonly TableColumn<LedgerRow>[] = [
  { id: "at", header: "Time", width: 190, cell: (row) => <Timestamp at={row.timestamp} /> },
  { id: "kind", header: "Kind", width: 110, cell: (row) => row.kind },
  {
    id: "market",
    header: "Market",
    width: 260,
    cell: (row) => (row.slug === null ? "–" : <MarketLink conditionId={row.condition_id}>{row.slug}</MarketLink>),
  },
  { id: "outcome", header: "Outcome", width: 110, cell: (row) => row.outcome ?? "–" },
  { id: "shares", header: "Shares", width: 140, align: "right", cell: (row) => <Figure value={row.shares} isSigned /> },
  { id: "usd", header: "USD", width: 140, align: "right", cell: (row) => <Figure value={row.usd} isSigned /> },
  { id: "fee", header: "Fee, USD", width: 100, align: "right", cell: (row) => <Figure value={row.fee_usd} /> },
  { id: "price", header: "Price", width: 100, align: "right", cell: (row) => <Figure value={row.price} /> },
];

const keyOf = (row: LedgerRow): string =>
  [row.timestamp, row.transaction_hash, row.log_index, row.kind, row.place, row.token_id].join(" ");

/** The ledger rows behind every figure of the wallet, newest first, page by page. */
export function LedgerCard({ address }: { readonly address: string }): ReactElement {
  const [kind, chooseKind] = useRequested("kind", "ALL");
  const query = usePages<LedgerRow>(LEDGER, { proxy_wallet: address, kind }, { limit: PAGE, maxPages: MAX_PAGES });
  const { data, error, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    query;
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data]);
  const coverage = data?.pages.map((page) => page.coverage).reduce((first, next) => joinCoverage(first, next));
  const isMore = data?.pages.at(-1)?.pagination.hasMore === true;
  return (
    <Card
      isFlush
      title="Ledger"
      about="Each signed change of its tokens and money, newest first."
      aside={<LedgerKinds kind={kind} onKind={chooseKind} />}
    >
      {isPending && !error ? <Spinner /> : null}
      {data && rows.length === 0 ? <Empty title="No rows">The ledger has no rows of this kind.</Empty> : null}
      {rows.length > 0 ? (
        <DataTable caption="Rows of the ledger" rows={rows} columns={COLUMNS} rowKey={keyOf} maxHeightPx={480} />
      ) : null}
      <div className="px-5 py-3 text-[13px]">
        {error ? (
          <ErrorNote error={error} onRetry={() => void (isFetchNextPageError ? fetchNextPage() : refetch())} />
        ) : null}
        {rows.length > 0 ? (
          <div className="flex flex-wrap items-center gap-3 text-ink-faint">
            <span>
              {rows.length} rows{isMore ? ", more available" : ", all loaded"}
            </span>
            {hasNextPage ? (
              <Button isSmall isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Load more
              </Button>
            ) : null}
            {isMore && !hasNextPage ? (
              <span>This page keeps {rows.length}; the explorer and the API return all.</span>
            ) : null}
          </div>
        ) : null}
        {coverage ? <CoverageNote coverage={coverage} /> : null}
      </div>
    </Card>
  );
}

type Props = { readonly kind: string; readonly onKind: (kind: string) => void };

/** Filters the ledger's rows by the choices of the dataset's own parameter. */
export function LedgerKinds({ kind, onKind }: Props): ReactElement {
  const { data } = useDatasets();
  const param = data?.find((one) => one.agent_id === LEDGER)?.params.find(({ name }) => name === "kind");
  return (
    <label className="flex items-center gap-2">
      <span className="text-ink-faint">Kind</span>
      <select
        value={kind}
        onChange={(event) => onKind(event.currentTarget.value)}
        className="h-8 rounded-lg border border-line-strong bg-surface px-2"
      >
        <option value="ALL">all</option>
        {(param?.choices ?? []).map((choice) => (
          <option key={choice} value={choice}>
            {choice.replaceAll("_", " ")}
          </option>
        ))}
      </select>
    </label>
  );
}
