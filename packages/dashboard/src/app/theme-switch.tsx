import type { ReactElement } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import { useTheme, type ThemeChoice } from "./theme.ts";

const CHOICES: readonly { readonly choice: ThemeChoice; readonly label: string; readonly icon: IconName }[] = [
  { choice: "system", label: "As the system", icon: "screen" },
  { choice: "light", label: "Light", icon: "sun" },
  { choice: "dark", label: "Dark", icon: "moon" },
];

export function ThemeSwitch(): ReactElement {
  const [chosen, choose] = useTheme();
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
            checked={chosen === choice}
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
