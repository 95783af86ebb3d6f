const words = (text: string): readonly string[] => text.split(/\s+/u);

/** Words of questions that say nothing of what a market is about; no term is made of them. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  words(`a an and any another are as at be been before after between by can could did do does during each end ever for from get gets
  go going had happen happens has have he her his how if in into is it its itself lot many more most much next no none not of off on once or
  other out over own per s t than that the their them then there these they this those through to top under until up upon us very
  was were what when where which while who whom whose why will with within without would yes you your
  win wins winner winners winning won champion champions championship lose loses price prices market markets odds bet chance
  above below least exactly first last latest new old many number total day days week weeks month months year years quarter season
  today tomorrow early late mid start begin close closes open opens hit hits reach reaches reached dip dips high low higher lower
  make makes made say says said mention mentions announce announced announces release releases released become becomes happen
  vs versus x ft feat et am pm utc est edt am ii iii jr sr game games match round people person thing things option options part parts
  january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  monday tuesday wednesday thursday friday saturday sunday eoy q1 q2 q3 q4 2020 2021 2022 2023 2024 2025 2026 2027 2028 2029 2030
  take takes took taken leave leaves left stay remain remains be being use uses used vote votes following officially publicly again
  one two three four five six seven eight nine ten rule rules ruled ruling favor largest biggest best worst country countries company film movie show team state states`),
);

/** Names that say little alone, because so much is about them. */
export const BROAD_NAMES: ReadonlySet<string> = new Set(
  words(
    "us usa america american trump bitcoin ethereum china russia democrat republican democratic congress president white house ai nba nfl mlb nhl",
  ),
);

/** Of these names those that a question cannot do without, though they say little alone. */
export const BROAD_COUNTRIES: ReadonlySet<string> = new Set(["china", "russia"]);
