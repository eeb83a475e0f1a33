// Turns what people say of themselves into questions about them, by templates: "I went to Rome last week" becomes "When did Ann go to
// Rome?", and a question to somebody ("What do you do?") becomes one about them ("What does Ann do?").

const irregular =
  'went go,bought buy,made make,took take,got get,had have,did do,came come,met meet,found find,gave give,told tell,left leave,kept keep,lost lose,won win,began begin,ate eat,drank drink,drove drive,rode ride,flew fly,wrote write,read read,ran run,sang sing,spoke speak,spent spend,taught teach,wore wear,built build,broke break,caught catch,chose choose,fell fall,grew grow,held hold,paid pay,said say,sold sell,sent send,slept sleep,stood stand,threw throw,understood understand,woke wake,brought bring,became become,put put,hurt hurt,quit quit,cut cut,let let,hit hit';
const pasts = new Map(irregular.split(',').map((pair) => /** @type {[string, string]} */ (pair.split(' '))));
const present =
  'like love enjoy want have work live play hate prefer collect own drive teach study watch listen read cook bake run swim sing dance paint draw write travel volunteer dream plan speak eat drink wear keep spend sell make grow raise train';
const presents = new Set(present.split(' '));
const lead =
  '(?:(?:and|but|so|well|yeah|yes|no|oh|actually|because|sometimes|also|haha|hey|thanks|right|cool|nice|wow),? )*';

/** The base form of a regular past. @param {string} verb */
function baseOf(verb) {
  const known = pasts.get(verb);
  if (known || !/[a-z]{2}ed$/.test(verb) || /^(?:need|indeed|feed)$/.test(verb)) return known;
  if (/ied$/.test(verb)) return `${verb.slice(0, -3)}y`;
  if (/([bdgmnprt])\1ed$/.test(verb)) return verb.slice(0, -3);
  if (/(?:[^aeiou][aeiou][cgklmprstuvz]|at|iv|as|us|ag|ang|nc|rc|ov|ir|ur|or|ys|os)ed$/.test(verb))
    return verb.slice(0, -1);
  return verb.slice(0, -2);
}

/** Said by somebody, now said about them. @param {string} text */
function turn(text) {
  return text
    .replace(/\bmy\b/gi, 'their')
    .replace(/\b(?:me|us)\b/g, 'them')
    .replace(/\bI'm\b|\bI am\b/g, 'they are')
    .replace(/\bI've\b/g, 'they have')
    .replace(/\b(?:I|we)\b/g, 'they')
    .replace(/\bour\b/gi, 'their')
    .replace(/\bmyself\b/g, 'themselves');
}

const preposition = / (?:with|at|in|on|to|for|from|during|after|before|about|because|since|when|while|near|by) /;

/** @template T @param {T[]} all @param {number} seed */
const pick = (all, seed) => /** @type {T} */ (all[seed % all.length]);

/**
 * A question that a sentence of `name` answers, if a template fits. `name` is "I" where the speaker asks.
 * @param {string} sentence @param {string} name @param {number} seed
 */
export function askAbout(sentence, name, seed) {
  const self = name === 'I';
  const [does, did, is] = self ? ['do I', 'did I', 'am I'] : [`does ${name}`, `did ${name}`, `is ${name}`];
  const own = self ? 'my' : `${name}'s`;
  const change = self ? (/** @type {string} */ text) => text : turn;
  const said = sentence
    .trim()
    .replace(/[.!…]+$/, '')
    .replace(/\s+/g, ' ');
  const words = said.split(' ').length;
  if (words < 4 || words > 30 || /[?"]|\byour?\b/i.test(said)) return undefined;
  const [, verb = '', rest = ''] =
    new RegExp(`^${lead}I (?:just |recently |also |finally |really |always |usually |once )*([a-z]+) (.+)$`, 'i').exec(
      said,
    ) ?? [];
  const clause = change(rest.split(/, (?:and|but|so|which)\b|;| but | so that /)[0] ?? '');
  const part = preposition.exec(clause);
  const [object, adverbial] = part ? [clause.slice(0, part.index), clause.slice(part.index + 1)] : [clause, ''];
  const base = baseOf(verb.toLowerCase());
  if (base && clause.split(' ').length >= 2) {
    const all = [
      `When ${did} ${base} ${clause}?`,
      `Did ${self ? 'I' : name} ${base} ${clause}?`,
      `Why ${did} ${base} ${clause}?`,
    ];
    if (adverbial && object.length > 2)
      all.push(
        `What ${did} ${base} ${adverbial}?`,
        `When ${did} ${base} ${object}?`,
        `What ${did} ${base} ${adverbial}?`,
      );
    if (/ (?:with) /.test(` ${adverbial}`) && adverbial.startsWith('with'))
      all.push(`Who ${did} ${base} ${object} with?`);
    if (/^(?:to|in|at|from) /.test(adverbial)) all.push(`Where ${did} ${base} ${object}?`);
    return pick(all, seed);
  }
  if (presents.has(verb.toLowerCase()) && clause !== '') {
    const own = verb.toLowerCase();
    const all = [`Does ${self ? 'NAME' : name} ${own} ${clause}?`.replace('Does NAME', 'Do I')];
    if (adverbial && object.length > 2) all.push(`What ${does} ${own} ${adverbial}?`);
    const to = /^to (\w+)(?: (.+))?$/.exec(clause);
    if (to) all.push(`What ${does} ${own} to ${to[1]}?`, `What ${does} ${own} to do?`);
    else if (/^(?:live|work)$/.test(own)) all.push(`Where ${does} ${own}?`, `Where ${does} ${own}?`);
    else all.push(`What ${does} ${own}?`);
    return pick(all, seed);
  }
  const state = new RegExp(`^${lead}(?:I'm|I am) (?:just |really |also |currently |so )*(.+)$`, 'i').exec(said)?.[1];
  if (
    state &&
    state.split(' ').length >= 3 &&
    !/^(?:not|sure|sorry|glad|fine|here|happy|afraid|good|okay)\b/i.test(state)
  ) {
    const clause = change(state.split(/, (?:and|but|so)\b| but /)[0] ?? '');
    const doing = /^(\w+ing)\b(?: (to|for|at|in|on|about|with))?/.exec(clause);
    const all = [`${is[0]?.toUpperCase()}${is.slice(1)} ${clause}?`];
    if (doing)
      all.push(
        `What ${is} ${doing[1]}${doing[2] ? ` ${doing[2]}` : ''}?`,
        `What ${is} ${doing[1]}${doing[2] ? ` ${doing[2]}` : ''}?`,
      );
    if (/^an? /.test(clause))
      all.push(`What does ${self ? 'NAME' : name} do for a living?`.replace('does NAME', 'do I'));
    return pick(all, seed);
  }
  const [, thing = '', link = ''] =
    new RegExp(
      `^${lead}my ((?:[\\w'-]+ ){1,4}?)(is|are|was|were|likes|loves|has|works|lives|died|got|went) .+$`,
      'i',
    ).exec(said) ?? [];
  if (thing === '') return undefined;
  const be = /^(?:is|are|was|were)$/.test(link);
  const person =
    /mother|father|mom|dad|brother|sister|wife|husband|friend|son|daughter|boss|teacher|aunt|uncle|cousin|grand/i.test(
      thing,
    );
  if (be) return `${person && seed % 3 === 0 ? 'Who' : 'What'} ${link} ${own} ${change(thing).trim()}?`;
  return pick([`What do we know about ${own} ${thing.trim()}?`, `What does ${own} ${thing.trim()} do?`], seed);
}

/** A question to `name`, as one about them, if it can be understood alone. @param {string} question @param {string} name */
export function askOf(question, name) {
  const text = question.trim().replace(new RegExp(`^${lead}`, 'i'), '');
  const words = text.split(' ').length;
  if (words < 4 || words > 18 || !/^(?:what|where|who|how|which|why|when|do|does|did|are|is|have|has)\b/i.test(text))
    return undefined;
  if (
    !/\byou(?:r|rs)?\b/i.test(text) ||
    /\b(?:that|this|those|it|them|think of|mean|how are you|about you|else)\b/i.test(text)
  )
    return undefined;
  const self = name === 'I';
  const about = text
    .replace(/\bdo you\b/gi, self ? 'do I' : `does ${name}`)
    .replace(/\bare you\b/gi, self ? 'am I' : `is ${name}`)
    .replace(/\bhave you\b/gi, self ? 'have I' : `has ${name}`)
    .replace(/\bwere you\b/gi, `was ${name}`)
    .replace(/\byours?\b/gi, self ? 'my' : `${name}'s`)
    .replace(/\byourself\b/gi, self ? 'myself' : 'themselves')
    .replace(/\byou\b/gi, name);
  return /\b(?:I|me|my)\b/.test(text) ? undefined : `${about[0]?.toUpperCase()}${about.slice(1)}`;
}
