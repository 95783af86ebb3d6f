type Choice = { readonly value: string; readonly label: string };

/** The choices of a list, with its value if that is none of them: the browser would show the first one instead. */
export function shownChoices(choices: readonly Choice[], value: string): readonly Choice[] {
  return choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }];
}
