import type { Rules } from "./build-rules.ts";
import type { MarketRule } from "./market-rule.ts";
import { isNear, isOfItsTime, type Found } from "./judge-rule.ts";
import type { PartyRace, RaceWords } from "./race-rules.ts";

const DAY_MS = 86_400_000;
/** Candidates are spoken of as such from so many days before the vote. */
const CAMPAIGN_DAYS = 183;
/** And of little else in the last of them. */
const LAST_DAYS = 100;
/** Votes are counted for so long. */
const COUNT_DAYS = 7;
/** "Vote Brandt": the name comes right after. */
const VOTE_REACH = 7;

const isWithin = (endsMs: number, days: number, tsMs: number | undefined): boolean =>
  tsMs !== undefined && endsMs - tsMs <= days * DAY_MS && tsMs <= endsMs + COUNT_DAYS * DAY_MS;

/** Whether a text speaks of a market's answer as of a candidate: beside a rival, or with words of campaigns. */
export function isOfCandidate(rule: MarketRule, anchor: number, found: Found, rules: Rules): boolean {
  const candidacy = rules.candidacies.get(rule);
  const words = rules.raceWords;
  if (candidacy === undefined || !isWithin(candidacy.ends_ms, CAMPAIGN_DAYS, found.tsMs)) return false;
  const { isNomination, isChoice, isOfRaceAlone, isPresidential, rivals } = candidacy;
  const isLast = !isNomination && isOfRaceAlone && isWithin(candidacy.ends_ms, LAST_DAYS, found.tsMs);
  const votes = isChoice ? [] : (found.places.get(words.vote) ?? []);
  return (found.places.get(anchor) ?? []).some(
    (at) =>
      isOfItsTime(rule, at, found) &&
      (isLast ||
        (isNear(found, isChoice ? words.nomination : words.campaign, at) &&
          !(isPresidential && isNear(found, words.others, at))) ||
        votes.some((vote) => at > vote && at - vote <= VOTE_REACH) ||
        rivals.some((rival) => isNear(found, rival, at))),
  );
}

/** Whether a text speaks of the vote in a race's place, or in the country, and of no lower office. */
export function isOfRace(race: PartyRace, anchor: number, found: Found, words: RaceWords): boolean {
  if (!isWithin(race.ends_ms, LAST_DAYS, found.tsMs)) return false;
  return (found.places.get(anchor) ?? []).some(
    (at) =>
      isOfItsTime(race, at, found) &&
      isNear(found, race.voting, at) &&
      race.needs.every((concept) => isNear(found, concept, at)) &&
      !(race.isPresidential && isNear(found, words.offices, at)),
  );
}
