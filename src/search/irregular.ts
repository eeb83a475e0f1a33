// Irregular forms that Porter's stemmer does not unify: went and go, bought and buy, children and child.
const families = `be was were been|become became|begin began begun|bend bent|break broke broken|bring brought|build built
  buy bought|catch caught|choose chose chosen|come came|deal dealt|dig dug|draw drew drawn|drink drank drunk
  drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|fly flew flown
  forget forgot forgotten|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung
  hear heard|hide hid hidden|hold held|keep kept|know knew known|lead led|learn learnt|leave left|lend lent|lose lost
  make made|mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen
  seek sought|sell sold|send sent|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk
  sing sang sung|sit sat|sleep slept|speak spoke spoken|spend spent|stand stood|steal stole stolen|stick stuck
  strike struck|swear swore sworn|sweep swept|swim swam swum|take took taken|teach taught|tear tore torn|tell told
  think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|win won|write wrote written
  child children|foot feet|knife knives|leaf leaves|life lives|man men|mouse mice|person people|shelf shelves
  tooth teeth|wife wives|woman women`;

/** From each form to the one that represents its family. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  families.split(/[|\n]/).flatMap((family) => {
    const [base, ...forms] = family.trim().split(' ') as [string, ...string[]];
    return forms.map((form): [string, string] => [form, base]);
  }),
);
