import { type ReactElement, useSyncExternalStore } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";

type ThemeChoice = "system" | "light" | "dark";

const KEPT_AS = "almanac.theme";
const DARK = "(prefers-color-scheme: dark)";

function readChoice(): ThemeChoice {
  try {
    const kept = localStorage.getItem(KEPT_AS);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

function keepChoice(choice: ThemeChoice): void {
  try {
    if (choice === "system") localStorage.removeItem(KEPT_AS);
    else localStorage.setItem(KEPT_AS, choice);
  } catch {
    // Without storage the choice still applies until the page is left.
  }
}

/** One choice for all switches: on a phone the menu has one beside the hidden one of the wide screen. */
let chosen = readChoice();
const watchers = new Set<() => void>();

function show(): void {
  const theme = chosen === "system" ? (matchMedia(DARK).matches ? "dark" : "light") : chosen;
  document.documentElement.dataset["theme"] = theme;
}

function apply(choice: ThemeChoice): void {
  chosen = choice;
  show();
  for (const watcher of watchers) watcher();
}

function choose(choice: ThemeChoice): void {
  keepChoice(choice);
  apply(choice);
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

matchMedia(DARK).addEventListener("change", show);
// Another tab's choice; the key is null if the whole storage was cleared.
addEventListener("storage", ({ key }) => {
  if (key === KEPT_AS || key === null) apply(readChoice());
});

const CHOICES: readonly { readonly choice: ThemeChoice; readonly label: string; readonly icon: IconName }[] = [
  { choice: "system", label: "System", icon: "screen" },
  { choice: "light", label: "Light", icon: "sun" },
  { choice: "dark", label: "Dark", icon: "moon" },
];

export function ThemeSwitch(): ReactElement {
  const now = useSyncExternalStore(watch, () => chosen);
  return (
    <fieldset className="inline-flex rounded-lg border border-line bg-sunken p-0.5">
      <legend className="sr-only">Theme</legend>
      {CHOICES.map(({ choice, label, icon }) => (
        <label
          key={choice}
          title={label}
          className="relative flex h-7 w-7 cursor-pointer items-center justify-center rounded-md text-ink-faint hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="theme"
            value={choice}
            checked={now === choice}
            onChange={() => choose(choice)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <Icon name={icon} size={16} />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
