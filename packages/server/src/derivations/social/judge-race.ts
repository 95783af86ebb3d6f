import type { Rules } from "./build-rules.ts";
import type { MarketRule } from "./market-rule.ts";
import { isNear, isOfItsTime, type Found } from "./judge-rule.ts";
import type { PartyRace, RaceWords } from "./race-rules.ts";

const DAY_MS = 86_400_000;
/** Days before the vote from which candidates are mentioned as such. */
const CAMPAIGN_DAYS = 183;
/** Last days before the vote, in which candidates are mentioned for little else. */
const LAST_DAYS = 100;
/** Days for which votes are counted. */
const COUNT_DAYS = 7;
/** "Vote Brandt": the name follows within this distance. */
const VOTE_REACH = 7;

const isWithin = (endsMs: number, days: number, tsMs: number | undefined): boolean =>
  tsMs !== undefined && endsMs - tsMs <= days * DAY_MS && tsMs <= endsMs + COUNT_DAYS * DAY_MS;

/** Whether a text mentions a market's answer as a candidate: together with a rival, or with campaign words. */
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

/** Whether a text is about the vote in a race's place, or in the country, and about no lower office. */
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
