/** A standing question or list of questions; `{…}` are filled from the lists of the same name. */
export interface Wording {
  category: string;
  tags: string[];
  title: string;
  /** For neg-risk events: the list whose entries are the answers. */
  answers?: string;
}

/**
 * Names to fill wordings with. People, teams and companies are invented or generic; nothing here is about real ones.
 */
export const LISTS: Readonly<Record<string, readonly string[]>> = {
  country: [
    "Arvenia",
    "Bolmark",
    "Castoria",
    "Delmara",
    "Estoven",
    "Farrowland",
    "Galdania",
    "Hestria",
    "Ilvania",
    "Jorvik",
  ],
  person: [
    "Ada Brandt",
    "Boris Kemp",
    "Clara Voss",
    "Dario Neri",
    "Elena Park",
    "Felix Amadi",
    "Greta Olsen",
    "Hugo Lamar",
    "Iris Chen",
    "Jonas Weil",
    "Kira Sato",
  ],
  office: ["president", "prime minister", "mayor of Port Ellis", "party leader", "finance minister"],
  bill: ["budget bill", "housing act", "data privacy act", "tariff reform", "energy pact"],
  company: ["Northwind", "Helion", "Quantia", "Orbitel", "Vantage AI", "Lumen Robotics", "Crestline"],
  product: ["a new model", "a headset", "a home robot", "an open model", "a search product"],
  city: ["New York", "Chicago", "Miami", "London", "Tokyo", "Madrid", "Denver"],
  film: [
    "The Long Tide",
    "Paper Moons",
    "Glass Harbor",
    "Northern Line",
    "The Ninth Room",
    "Salt Roads",
    "Ember Days",
    "Low Sun",
  ],
  award: ["Best Picture", "Song of the Year", "Best Director", "Album of the Year"],
  indicator: ["inflation", "the unemployment rate", "GDP growth", "payrolls"],
  number: ["2.4%", "2.8%", "3.1%", "3.5%", "4.0%", "4.4%"],
  coin: ["Bitcoin", "Ethereum", "Solana", "XRP"],
  level: ["60k", "75k", "90k", "105k", "120k", "150k"],
  league: ["Northern League", "Coastal League", "Premier Cup", "Continental League"],
  team: [
    "Rovers",
    "Falcons",
    "Mariners",
    "Comets",
    "Titans",
    "Wolves",
    "Pioneers",
    "Storm",
    "Lynx",
    "Royals",
    "Harriers",
    "Kings",
  ],
  month: ["December", "January", "February", "March", "April"],
  move: ["no change", "25 bp cut", "50 bp cut", "25 bp hike", "75 bp cut"],
};

export const WORDINGS: readonly Wording[] = [
  {
    category: "politics",
    tags: ["Elections"],
    title: "Who will be the next {office} of {country}?",
    answers: "person",
  },
  { category: "politics", tags: ["Congress"], title: "Will {country} pass the {bill} by {month}?" },
  { category: "politics", tags: ["Elections"], title: "Will {person} run for {office} of {country}?" },
  { category: "geopolitics", tags: ["World"], title: "Will {country} and {country} sign a ceasefire by {month}?" },
  {
    category: "geopolitics",
    tags: ["World"],
    title: "Which country will host the {month} summit?",
    answers: "country",
  },
  { category: "crypto", tags: ["Crypto Prices"], title: "Will {coin} reach ${level} by {month}?" },
  { category: "crypto", tags: ["Crypto Prices"], title: "What will {coin} reach first in {month}?", answers: "level" },
  {
    category: "economics",
    tags: ["Fed"],
    title: "What will the {country} central bank decide in {month}?",
    answers: "move",
  },
  { category: "economics", tags: ["Macro"], title: "Will {indicator} in {country} be above {number} in {month}?" },
  { category: "culture", tags: ["Movies"], title: "Which film wins {award} in {month}?", answers: "film" },
  { category: "culture", tags: ["Movies"], title: "Will {film} open above $50M in {month}?" },
  { category: "tech", tags: ["AI"], title: "Will {company} release {product} by {month}?" },
  {
    category: "tech",
    tags: ["AI"],
    title: "Which company has the top model at the end of {month}?",
    answers: "company",
  },
  { category: "weather", tags: ["Climate"], title: "Will {month} be the hottest on record in {city}?" },
  { category: "weather", tags: ["Climate"], title: "Where will the first snow of {month} fall?", answers: "city" },
];
