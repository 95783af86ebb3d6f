/** The look of all inputs and selects. */
export const CONTROL_CLASS =
  "w-full min-w-0 h-10 rounded-lg border border-line-strong bg-surface px-3 text-sm text-ink placeholder:text-ink-faint aria-invalid:border-down disabled:opacity-60 focus-visible:outline-offset-0";
