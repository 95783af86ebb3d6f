import { useId, useState, type ReactElement } from "react";
import type { Dataset } from "../../explore/dataset.ts";
import { CONTROL_CLASS } from "../../ui/form-fields.tsx";
import { ErrorNote } from "../../ui/content-states.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useReadableDatasets } from "./key-rights.ts";

interface DatasetPickerProps {
  /** The account whose plan offers the datasets. */
  readonly accountId: string;
  /** Agent ids; undefined: all that the plan allows. */
  readonly chosen: readonly number[] | undefined;
  readonly onChange: (chosen: readonly number[] | undefined) => void;
  readonly error?: string | undefined;
}

interface DatasetListProps {
  readonly datasets: readonly Dataset[];
  readonly chosen: readonly number[];
  readonly onChange: (chosen: readonly number[]) => void;
  readonly sought: string;
  readonly onSeek: (sought: string) => void;
}

function DatasetList({ datasets, chosen, onChange, sought, onSeek }: DatasetListProps): ReactElement {
  const words = sought.trim().toLowerCase();
  const shown = datasets.filter(({ agent_id, name, title }) =>
    `${agent_id} ${name} ${title}`.toLowerCase().includes(words),
  );
  return (
    <div className="rounded-lg border border-line">
      <input
        type="search"
        aria-label="Find a dataset"
        placeholder="Find a dataset"
        value={sought}
        onChange={(event) => onSeek(event.currentTarget.value)}
        className={`${CONTROL_CLASS} rounded-b-none border-0 border-b border-line`}
      />
      <ul className="max-h-52 overflow-y-auto p-1">
        {shown.map((dataset) => (
          <li key={dataset.agent_id}>
            <label className="flex cursor-pointer items-center gap-2 rounded px-2 py-1 text-sm hover:bg-sunken">
              <input
                type="checkbox"
                className="accent-accent"
                checked={chosen.includes(dataset.agent_id)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked
                      ? [...chosen, dataset.agent_id]
                      : chosen.filter((id) => id !== dataset.agent_id),
                  )
                }
              />
              <span className="min-w-0 flex-1 truncate">{dataset.title}</span>
              <span className="text-xs text-ink-faint tabular-nums">{dataset.agent_id}</span>
            </label>
          </li>
        ))}
        {shown.length === 0 ? <li className="px-2 py-3 text-sm text-ink-faint">No dataset matches.</li> : null}
      </ul>
    </div>
  );
}

/** All datasets of the plan, or a selection. */
export function DatasetPicker({ accountId, chosen, onChange, error }: DatasetPickerProps): ReactElement {
  const readable = useReadableDatasets(accountId);
  const [sought, setSought] = useState("");
  const name = useId();
  const choices = [
    { label: "All that the plan allows", isAll: true },
    { label: "Only these", isAll: false },
  ];
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={error === undefined ? undefined : `${name}-e`}>
      <legend className="mb-1 text-[13px] font-medium text-ink-soft">Datasets</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {choices.map(({ label, isAll }) => (
          <label key={label} className="flex cursor-pointer items-center gap-2 text-sm">
            <input
              type="radio"
              name={name}
              className="accent-accent"
              checked={(chosen === undefined) === isAll}
              onChange={() => onChange(isAll ? undefined : [])}
            />
            {label}
            {isAll || chosen === undefined ? null : <span className="text-ink-faint">({chosen.length} chosen)</span>}
          </label>
        ))}
      </div>
      {chosen !== undefined && readable.error !== null ? <ErrorNote error={readable.error} /> : null}
      {chosen !== undefined && readable.datasets !== undefined ? (
        <DatasetList
          datasets={readable.datasets}
          chosen={chosen}
          onChange={onChange}
          sought={sought}
          onSeek={setSought}
        />
      ) : null}
      {error === undefined ? null : (
        <p id={`${name}-e`} className="flex items-start gap-1 text-[13px] text-down">
          <Icon name="alert" size={15} />
          {error}
        </p>
      )}
    </fieldset>
  );
}
