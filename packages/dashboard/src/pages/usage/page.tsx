import { useState, type ReactElement } from "react";
import { useSearchParams } from "react-router";
import { toUsageQuery } from "../../api/usage.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { QuotaCard } from "./quota-card.tsx";
import { UsageFigures } from "./usage-figures.tsx";
import { readUsageFilter } from "./usage-filter.ts";
import { UsageFilters } from "./usage-filters.tsx";
import { useFilterChoices } from "./use-filter-choices.ts";

export default function UsagePage(): ReactElement {
  const [search, setSearch] = useSearchParams();
  const [openedAt] = useState(() => Date.now());
  const { range, ...filter } = readUsageFilter(search, openedAt);
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
        about="What was asked with your keys, and how it was answered. Days are UTC."
        actions={
          <a href={`/api/console/usage.csv?${toUsageQuery(filter)}`} download className={buttonClass()}>
            <Icon name="download" size={16} />
            CSV
          </a>
        }
      />
      <div className="flex flex-col gap-4">
        <UsageFilters filter={{ range, ...filter }} onChange={change} choices={choices} />
        <UsageFigures key={filter.account} filter={filter} />
        <QuotaCard />
      </div>
    </>
  );
}
