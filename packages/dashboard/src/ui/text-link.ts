/** The look of a link in a text. */
export const TEXT_LINK = "text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent";
