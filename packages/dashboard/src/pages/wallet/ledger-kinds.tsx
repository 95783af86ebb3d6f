import type { ReactElement } from "react";
import { useDatasets } from "../../api/datasets.ts";

const LEDGER = 1002;

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
