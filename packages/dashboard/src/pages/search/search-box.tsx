import { useId, type ReactElement, type FormEvent } from "react";
import { useNavigate } from "react-router";
import { Icon } from "../../ui/icon.tsx";
import { whereTo } from "./where-to.ts";

/** Search on every page: markets by words and ids, wallets by address. */
export function SearchBox(): ReactElement {
  const navigate = useNavigate();
  const id = useId();
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const requested = String(new FormData(event.currentTarget).get("q") ?? "").trim();
    if (requested === "") return;
    void navigate(whereTo(requested) ?? `/search?q=${encodeURIComponent(requested)}`);
  };
  return (
    <form role="search" onSubmit={onSubmit} className="relative w-full max-w-md min-w-0">
      <label htmlFor={id} className="sr-only">
        Search markets and wallets
      </label>
      <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-ink-faint">
        <Icon name="search" size={16} />
      </span>
      <input
        id={id}
        name="q"
        type="search"
        maxLength={200}
        autoComplete="off"
        placeholder="Market, wallet…"
        className="h-9 w-full rounded-lg border border-line-strong bg-surface pr-3 pl-8 text-sm placeholder:text-ink-faint"
      />
    </form>
  );
}
