// Reduces a text to terms for comparing statements: words without inflection and filler. Everything that can change the meaning
// stays: numbers, names, identifiers, signs, negation, tense, prepositions. Unlike a stemmer for search, it must keep related
// words apart.

export interface StatementTerms {
  terms: string[];
  /** Start of a part that can be swapped with its neighbour: at a preposition, a colon, "the", "we", "every". */
  parts: Set<number>;
  /** A comma, at which another part can begin or end. Two such parts alone may be steps, whose order matters. */
  commas: Set<number>;
  /** Start of a sentence. Sentences in another order may be another procedure. */
  seams: Set<number>;
  /** After a form of "be" or "have". */
  verbs: Set<number>;
}

const token =
  /`|[\p{L}_][\p{L}\p{N}_]*\((?!s\))|(?<![\p{L}\p{N}_])--?(?=[\p{L}\p{N}])[\p{L}\p{N}_]+(?:[-._=][\p{L}\p{N}_]+)*|[@#~^$]?[\p{L}\p{N}_]+(?:[-._/:@#'’=+]+[\p{L}\p{N}_]+)*(?:\+\+|#)?|\/[\p{L}\p{N}_]+(?:[-._/][\p{L}\p{N}_]+)*|>=|<=|==|!=|=>|->|\n|[^\s\p{L}\p{N}_]/gu;
/** Marks that separate sentences or clauses; all other symbols are significant. */
const stop = /^[.;!…\n]$/;
const comma = /^[,)\]}]$/;
const colon = /^[:([{–—|]$/;
const ornament = /^["'`´‘’“”*_\-/\\•·]$/;

const words = (text: string) => new Set(text.split(/\s+/));
const pairs = (text: string) => new Map(text.split(/\s+/).map((pair) => pair.split('=') as [string, string]));

/** Filler words. */
const fillers = words(`a an is are am be been being do does has have having must per please also just simply really very
  actually basically currently now note remember always that which there here too`);
/** Filler words that begin a part. */
const openers = words('the it its we i you our my your us them');
/** Significant words that begin a part. */
const prepositions = words(`in on at by for from to with via over under between among about against as like than into
  onto off out up down before after since until till during while when where if unless because although though not no
  without except instead and or but nor toward towards across along behind beside beyond near only every each`);
const sameMeaning =
  pairs(`never=not into=to onto=to inside=in within=in through=via below=under till=until repo=repository
  repos=repository prod=production env=environment envs=environment db=database dbs=database config=configuration
  configs=configuration docs=documentation app=application apps=application dev=development dir=directory
  dirs=directory k8s=kubernetes js=javascript postgresql=postgres colour=color colours=color behaviour=behavior
  behaviours=behavior s=second sec=second secs=second min=minute mins=minute h=hour hr=hour hrs=hour px=pixel %=percent
  &=and one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 using=use used=use~
  was=past~ were=past~ had=past~ did=past~ done=do~`);
const contractions = pairs(`can't=can_not cannot=can_not won't=will_not shan't=shall_not let's=let it's=it that's=that
  there's=there what's=what who's=who i'm=i we're=we you're=you they're=they i've=i we've=we you've=you i'll=will
  we'll=will you'll=will it'll=will`);
const times = words('week month year day sprint quarter morning evening time release');
const units = /^(?:s|secs?|ms|mins?|h|hrs?|px|[kmgt]i?b|%)$/i;

export function readStatement(text: string): StatementTerms {
  const found = [...text.normalize('NFKC').matchAll(token)].flatMap(([piece]) => split(piece));
  const statement: StatementTerms = {
    terms: [],
    parts: new Set(),
    commas: new Set([0]),
    seams: new Set(),
    verbs: new Set(),
  };
  let quoted = false;
  found.forEach((piece, at) => {
    if (piece === '`') quoted = !quoted;
    addPiece(statement, piece, { quoted, next: bare(found[at + 1]?.toLowerCase() ?? '') });
  });
  reorderGenitives(statement);
  return statement;
}

interface Surroundings {
  /** Between backticks. */
  quoted: boolean;
  next: string;
}

function addPiece(statement: StatementTerms, piece: string, { quoted, next }: Surroundings): void {
  const { terms, parts, commas, seams, verbs } = statement;
  const plain = piece.toLowerCase();
  const here = terms.length;
  const isTime = /^th(?:is|ese)$/.test(plain) && times.has(next);
  const isWord = !ornament.test(piece);
  if (stop.test(piece)) seams.add(here);
  else if (comma.test(piece)) commas.add(here);
  else if (colon.test(piece)) parts.add(here);
  else if (piece === 'US' || piece === 'IT') terms.push(piece);
  // Code: language() differs from languages().
  else if (piece.length > 1 && (quoted || piece.endsWith('('))) terms.push(dropE(plain.replace(/\($/, '')));
  else if (isWord) {
    if (isTime || openers.has(plain) || prepositions.has(sameMeaning.get(plain) ?? plain)) parts.add(here);
    if (/^(?:is|are|was|were|has|have|had)$/.test(plain)) verbs.add(here);
    const isFiller = fillers.has(plain) || openers.has(plain) || (/^th(?:is|ese|ose)$/.test(plain) && !isTime);
    if (!isFiller) terms.push(reduce(piece, plain));
  }
}

function split(piece: string): string[] {
  const straight = piece.replaceAll('’', "'");
  const lower = straight.toLowerCase();
  const whole = contractions.get(lower);
  if (whole) return whole.split('_');
  if (lower.endsWith("n't")) return [straight.slice(0, -3), 'not'];
  const owner = /^(.+)'s$/i.exec(straight)?.[1];
  if (owner) return [owner];
  const measure = /^(\d+(?:\.\d+)?)([a-z%]+)$/i.exec(straight);
  if (measure && units.test(measure[2] as string)) return [measure[1] as string, measure[2] as string];
  return [straight];
}

/** Identifiers, versions, paths and numbers stay unchanged; words lose their inflection. */
function reduce(piece: string, plain: string): string {
  const known = sameMeaning.get(plain);
  if (known) return /^[a-z]{4,}$/.test(known) ? bare(known) : known;
  if (/^\p{L}+(?:-\p{L}+)+$/u.test(piece)) return plain.replaceAll('-', '');
  if (/[^\p{L}]/u.test(piece) || /\p{Ll}\p{Lu}/u.test(piece)) return plain;
  return bare(plain);
}

function bare(word: string): string {
  const spelt = word.length > 6 ? word.replace(/is(e[sdr]?|ing|ations?)$/, 'iz$1') : word;
  if (spelt.length > 5 && spelt.endsWith('ing')) return undouble(spelt.slice(0, -3));
  if (spelt.length > 4 && spelt.endsWith('ied')) return `${spelt.slice(0, -3)}y~`;
  if (spelt.length > 4 && /[^e]ed$/.test(spelt)) return `${undouble(spelt.slice(0, -2))}~`;
  if (spelt.length > 4 && spelt.endsWith('ies')) return `${spelt.slice(0, -3)}y`;
  if (spelt.length > 4 && /(?:ss|x|z|ch|sh)es$/.test(spelt)) return spelt.slice(0, -2);
  if (spelt.length > 3 && /[^sui]s$/.test(spelt)) return dropE(spelt.slice(0, -1));
  return dropE(spelt);
}

/** Running and run, but calling and call. */
function undouble(stem: string): string {
  return /([bdgmnprt])\1$/.test(stem) ? stem.slice(0, -1) : dropE(stem);
}

/** Using and use, caching and cache: the longer form does not show whether there was an e. */
function dropE(word: string): string {
  return word.length > 3 ? word.replace(/e$/, '') : word;
}

/** Treats "port of the server is" like "the server's port is", if a verb or the end of the text limits the owner. */
function reorderGenitives({ terms, parts, commas, seams, verbs }: StatementTerms): void {
  const ends = (at: number) => [parts, commas, seams, verbs].some((places) => places.has(at));
  for (let at = terms.indexOf('of'); at > 0; at = terms.indexOf('of', at + 1)) {
    let end = at + 1;
    while (end < terms.length && (end === at + 1 || !ends(end))) end++;
    const owner = terms.slice(at + 1, end);
    if (owner.length > 3 || owner.length === 0) continue;
    terms.splice(at - 1, end - at + 1, ...owner, terms[at - 1] as string);
    for (const places of [parts, commas, seams, verbs]) {
      const moved = [...places].filter((place) => place < at || place >= end);
      places.clear();
      for (const place of moved) places.add(place >= end ? place - 1 : place);
    }
  }
}
