import type { ReactElement } from "react";
import { useSearchParams } from "react-router";
import type { UsageFilter } from "../../api/usage.ts";
import { useSession } from "../../app/session-context.ts";
import { useToday } from "../../read/use-today.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { QuotaCard } from "./quota-card.tsx";
import { UsageDownload } from "./usage-download.tsx";
import { UsageFigures } from "./usage-figures.tsx";
import { readUsageFilter, RANGES, STATUSES, typedDays } from "./usage-filter.ts";
import { useFilterChoices, type FilterChoice, type FilterChoices } from "./use-filter-choices.ts";
import { DateInput, Select } from "../../ui/form-fields.tsx";

interface UsageFiltersProps {
  readonly filter: UsageFilter & { readonly range: string };
  readonly choices: FilterChoices;
  readonly onChange: (name: string, value: string) => void;
}

const ALL: FilterChoice = { value: "", label: "All" };

function UsageFilters({ filter, choices, onChange }: UsageFiltersProps): ReactElement {
  return (
    <div
      role="search"
      aria-label="Filter the usage"
      className="grid grid-cols-2 gap-3 md:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]"
    >
      <Select label="Range" value={filter.range} onChange={(to) => onChange("range", to)} choices={RANGES} />
      {choices.accounts.length === 0 ? null : (
        <Select
          label="Account"
          value={filter.account ?? ""}
          onChange={(to) => onChange("account", to)}
          choices={[{ value: "", label: "Your own" }, ...choices.accounts]}
        />
      )}
      <Select
        label="Key"
        value={filter.key ?? ""}
        onChange={(to) => onChange("key", to)}
        choices={[ALL, ...choices.keys]}
      />
      <Select
        label="Dataset"
        value={filter.agent_id ?? ""}
        onChange={(to) => onChange("agent_id", to)}
        choices={[ALL, ...choices.datasets]}
      />
      <Select label="Status" value={filter.status ?? ""} onChange={(to) => onChange("status", to)} choices={STATUSES} />
      {filter.range === "custom" ? (
        <>
          <DateInput label="From (UTC day)" value={filter.from} onChange={(to) => onChange("from", to)} />
          <DateInput label="To (UTC day)" value={filter.to} onChange={(to) => onChange("to", to)} />
        </>
      ) : null}
    </div>
  );
}

export default function UsagePage(): ReactElement {
  const [search, setSearch] = useSearchParams();
  const own = useSession().account.id;
  const { range, ...filter } = readUsageFilter(search, Date.parse(useToday()), own);
  const choices = useFilterChoices(filter.account);
  const change = (name: string, value: string): void => {
    const next = new URLSearchParams(search);
    if (value === "") next.delete(name);
    else next.set(name, value);
    if (name === "account") next.delete("key");
    if (name === "range" && value === "custom") {
      next.set("from", filter.from);
      next.set("to", filter.to);
    }
    setSearch(next, { replace: true });
  };
  return (
    <>
      <PageHeader
        title="Usage"
        about="Requests made with your keys, and their responses. Days are UTC."
        actions={<UsageDownload filter={filter} />}
      />
      <div className="flex flex-col gap-4">
        <UsageFilters filter={{ range, ...filter, ...typedDays(search, filter) }} onChange={change} choices={choices} />
        <UsageFigures key={filter.account} filter={filter} />
        {filter.account === "" ? <QuotaCard /> : null}
      </div>
    </>
  );
}
