import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Asked } from "../../explore/asked.ts";
import type { Dataset } from "../../explore/dataset.ts";
import { LONGEST_LINK, askedOf, searchOf } from "../../explore/link-of.ts";
import { pageOf } from "../../explore/page-of.ts";
import { requestOf } from "../../explore/request-of.ts";
import type { AnswerHook } from "./use-answer.ts";

type QuestionHook = {
  readonly asked: Asked;
  readonly setAsked: (asked: Asked) => void;
  readonly submit: (asked: Asked) => void;
  /** What is wrong with limit and offset; nothing is asked then. */
  readonly wrongPage: ReadonlyMap<string, string>;
};

const NOTHING_WRONG: ReadonlyMap<string, string> = new Map();

/** What the form says, kept in the address: a link, or the way back in the history, fills it and asks by itself. */
export function useQuestion(dataset: Dataset, { run, clear }: Pick<AnswerHook, "run" | "clear">): QuestionHook {
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>(() => askedOf(dataset, search));
  const [shown, setShown] = useState(search);
  const [wrongPage, setWrongPage] = useState(NOTHING_WRONG);
  const submitted = useRef<string>(undefined);
  if (search !== shown) {
    setShown(search);
    setAsked(askedOf(dataset, search));
  }
  useEffect(() => {
    if (submitted.current === search) return;
    submitted.current = undefined;
    if (search === "") clear();
    else run(requestOf(dataset, askedOf(dataset, search)));
  }, [dataset, search, run, clear]);

  const submit = useCallback(
    (next: Asked): void => {
      const page = pageOf(dataset, next);
      setWrongPage(page.ok ? NOTHING_WRONG : page.problems);
      if (!page.ok) return;
      const link = searchOf(dataset, next);
      const goesTo = link.length > LONGEST_LINK ? search : link;
      submitted.current = goesTo;
      if (goesTo !== search) void navigate({ pathname, search: goesTo });
      run(requestOf(dataset, next));
    },
    [dataset, navigate, pathname, run, search],
  );
  return { asked, setAsked, submit, wrongPage };
}
