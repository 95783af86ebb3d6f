import type { ButtonHTMLAttributes, ReactElement } from "react";
import { Icon, type IconName } from "./icon.tsx";

type Tone = "primary" | "plain" | "quiet" | "danger";

const TONES: Readonly<Record<Tone, string>> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-surface text-ink border-line hover:border-line-strong hover:bg-sunken",
  quiet: "bg-transparent text-ink-soft border-transparent hover:bg-sunken hover:text-ink",
  danger: "bg-surface text-down border-line hover:bg-down-soft hover:border-down",
};

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: Tone;
  readonly icon?: IconName;
  readonly isSmall?: boolean;
  /** Work is in progress: the button shows it and ignores further clicks. */
  readonly isBusy?: boolean;
}

/** The button's look for a link that acts like one. */
export function buttonClass(tone: Tone = "plain", isSmall = false): string {
  const size = isSmall ? "h-8 px-2.5 text-[13px]" : "h-10 px-4 text-sm";
  return `inline-flex items-center justify-center gap-1.5 rounded-lg border font-medium whitespace-nowrap transition-colors disabled:opacity-60 ${size} ${TONES[tone]}`;
}

export function Button(props: ButtonProps): ReactElement {
  const { tone = "plain", icon, isSmall = false, isBusy = false, children, className = "", disabled, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      className={`${buttonClass(tone, isSmall)} ${className}`}
    >
      {icon === undefined ? null : <Icon name={icon} size={16} />}
      {children}
    </button>
  );
}
