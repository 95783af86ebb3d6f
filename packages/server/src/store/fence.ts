/** Says whether this process may write now, and who else may. */
export type Fence = {
  /** Throws where it may not. */
  readonly check: () => void;
  /** Guests, commands beside whoever gathers, may be storing rows of the same tables; without it there are none. */
  readonly hasGuests?: () => boolean;
  /** This process is a guest. */
  readonly isGuest?: boolean;
};

/** Of a process without leases: it may always write, and is told later how to know of guests. */
export function openFence(): { readonly fence: Fence; readonly heedGuests: (by: () => boolean) => void } {
  let hasGuests: (() => boolean) | undefined;
  return {
    fence: { check: () => undefined, hasGuests: () => hasGuests?.() ?? false },
    heedGuests: (by) => {
      hasGuests = by;
    },
  };
}
