# Gathers texts with the text that follows or answers them, for a first, rough training: subjects of commits and their messages, headings and
# their paragraphs, questions in chats and the replies. Wrong texts are found when it is trained (train.py).
# python weak.py CLONES TOKENIZER.json SHARED_DATA OUT.npz
import csv, gzip, io, json, os, re, subprocess, sys
import numpy as np
from pathlib import Path
from tokenizers import Tokenizer

LIMITS = json.loads((Path(__file__).parent / 'shape.json').read_text())['limits']
UNTIL = '2026-06-01'
COMMITS = '''edobry+minsky mitmproxy+mitmproxy eslint+eslint restic+restic vitejs+vite webpack+webpack prometheus+prometheus pytest-dev+pytest
 astral-sh+ruff celery+celery pnpm+pnpm scrapy+scrapy gohugoio+hugo cli+cli jestjs+jest libuv+libuv tornadoweb+tornado
 pydantic+pydantic facebook+docusaurus sqlalchemy+sqlalchemy ipython+ipython vitest-dev+vitest trpc+trpc django+django babel+babel
 python+mypy composer+composer nushell+nushell grpc+grpc-go fluent+fluentd stylelint+stylelint sveltejs+kit TanStack+router facebook+lexical'''.split()
DOCS = '''eslint+eslint vitejs+vite fastify+fastify webpack+webpack prometheus+prometheus pytest-dev+pytest astral-sh+ruff celery+celery
 scrapy+scrapy gohugoio+hugo cli+cli jestjs+jest facebook+docusaurus withastro+astro nuxt+nuxt mermaid-js+mermaid pydantic+pydantic
 TanStack+query trpc+trpc sveltejs+kit nushell+nushell kubernetes+website'''.split()
MOST = {'commits': 1200, 'docs': 1200}
rng = np.random.default_rng(1)


def git(clones, repository, *args):
    folder = next(p for p in (f'{clones}/{repository}/repo/.git', f'{clones}/{repository}/repo', f'{clones}/{repository}') if os.path.exists(f'{p}/HEAD'))
    done = subprocess.run(['git', '--git-dir', folder, '-c', 'core.quotepath=off', *args], capture_output=True)
    return done.stdout.decode('utf8', 'replace')


def plain(text):
    return re.sub(r'\s+', ' ', re.sub(r'<[^>]*>|\]\([^)]*\)|[\[`*]', ' ', text)).strip()


def commits(clones, repository):
    log = git(clones, repository, 'log', '--no-merges', f'--until={UNTIL}', '-9000', '--format=%s%x01%b%x02')
    found = []
    for entry in log.split('\x02'):
        subject, _, body = entry.strip().partition('\x01')
        about = re.sub(r'\s*\(?#\d+\)?|^\w+(\([^)]*\))?!?: *', '', subject)
        parts = [plain(p) for p in re.split(r'\n\s*\n', re.sub(r'```[\s\S]*?```', '', body))]
        parts = [p for p in parts if len(p.split()) >= 12 and not re.match(r'[\w-]+-by|close|fix\w* #|see ', p, re.I)]
        if parts and len(about.split()) >= 4:
            found.append((about, parts[0], ''))
    return found


def docs(clones, repository):
    paths = [p for p in git(clones, repository, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n')
             if re.search(r'\.(md|mdx|rst)$', p) and not re.search(r'change|history|release|test|fixture|blog|i18n|content/(?!en/)[a-z-]+/', p, re.I)]
    found = []
    for path in [paths[i] for i in sorted(rng.permutation(len(paths))[:250])]:
        text = re.sub(r'```[\s\S]*?```', '', git(clones, repository, 'show', f'HEAD:{path}'))
        text = re.sub(r'^(.+)\n([=\-*~])\2{3,}$', r'# \1', text, flags=re.M)
        for heading, rest in re.findall(r'^#{1,4} +(.+)\n+((?:(?!#).+\n?)+)', text, flags=re.M):
            about, body = plain(re.sub(r'\{.*\}', '', heading)), plain(rest)
            if len(about.split()) >= 3 and len(body.split()) >= 12 and re.match(r'[A-Z]', body):
                found.append((about, body, ''))
    return found


def irc(clones):
    """Messages that somebody asks, and the first reply to each."""
    repository = 'jkkummerfeld+irc-disentanglement'
    found = []
    for path in git(clones, repository, 'ls-tree', '-r', '--name-only', 'HEAD', 'data/train', 'data/dev').split('\n'):
        if not path.endswith('.annotation.txt'):
            continue
        lines = git(clones, repository, 'show', f"HEAD:{path.replace('annotation', 'ascii')}").split('\n')
        said = [re.match(r'\[[\d:]+\] <(.+?)> (.+)', line) for line in lines]
        taken = set()
        for link in git(clones, repository, 'show', f'HEAD:{path}').split('\n'):
            numbers = [int(n) for n in link.split()[:2]]
            if len(numbers) < 2 or numbers[0] == numbers[1] or max(numbers) >= len(said):
                continue
            first, second = sorted(numbers)
            a, b = said[first], said[second]
            if a and b and a[1] != b[1] and first not in taken and '?' in a[2] and len(a[2].split()) >= 5 and len(b[2].split()) >= 6:
                taken.add(first)
                found.append((re.sub(r'^\S+[:,] ', '', a[2]), f'{b[1]}: {b[2]}', ''))
    return found


def chats(clones):
    """A question, and the next turn."""
    found = []
    for part in ('valid', 'test'):
        text = git(clones, 'google-research-datasets+Synthetic-Persona-Chat', 'show', f'HEAD:data/Synthetic-Persona-Chat_{part}.csv')
        for row in list(csv.reader(io.StringIO(text)))[1:]:
            turns = [line.partition(': ')[2] for line in row[2].split('\n')]
            for one, two, three in zip(turns, turns[1:], turns[2:]):
                if two.endswith('?') and len(two.split()) >= 6 and len(three.split()) >= 6:
                    found.append((two, three, one))
    return [found[i] for i in sorted(rng.permutation(len(found))[:9000])]


def talks(clones):
    """The same in scenes of a series and in meetings."""
    talks = []
    for part in ('dev', 'tst'):
        for scene in json.loads(git(clones, 'emorynlp+FriendsQA', 'show', f'HEAD:dat/friendsqa_{part}.json'))['data']:
            lines = scene['paragraphs'][0]['utterances:']
            talks.append([(' '.join(x['speakers']), x['utterance']) for x in lines if x['speakers'] and '#NOTE#' not in x['speakers'][0]])
    for part in ('Academic/jsonl/train', 'Committee/jsonl/train', 'ALL/jsonl/val', 'ALL/jsonl/test'):
        for line in git(clones, 'Yale-LILY+QMSum', 'show', f'HEAD:data/{part}.jsonl').split('\n'):
            if line:
                talks.append([(x['speaker'], re.sub(r'\{\w+\}', '', x['content'])) for x in json.loads(line)['meeting_transcripts']])
    found = []
    for turns in talks:
        for (who, one), (other, two) in zip(turns, turns[1:]):
            question = re.findall(r'[^.?!]+\?', one)
            if who != other and question and one.strip().endswith('?') and len(question[-1].split()) >= 5 and len(two.split()) >= 6:
                found.append((question[-1].strip(), f'{other}: {two}', ''))
    return found


def assistant(shared):
    """What a user asks, and the answer: the tuning split of LongMemEval, without what its report split has."""
    read = lambda split: {s for q in json.load(open(f'{shared}/longmemeval/{split}.json')) for s, _ in q['haystack']}
    used = read('tune') - read('report')
    found = []
    for line in gzip.open(f'{shared}/longmemeval/sessions.ndjson.gz', 'rt', encoding='utf8', newline='\n'):
        session, turns = json.loads(line)
        if session not in used:
            continue
        for (role, asked), (other, reply) in zip(turns, turns[1:]):
            if role != 'u' or other != 'a' or not asked.strip():
                continue
            question = re.findall(r'[^.?!\n]+\?', asked)
            about = (question[-1] if question else asked.split('\n')[0]).strip()
            paragraphs = [plain(p) for p in reply.split('\n') if len(p.split()) >= 10]
            if 5 <= len(about.split()) <= 40 and paragraphs:
                found.append((about, paragraphs[int(rng.integers(min(3, len(paragraphs))))], ''))
    return [found[i] for i in sorted(rng.permutation(len(found))[:20000])]


def main(clones, tokenizer, shared, out):
    read = Tokenizer.from_file(tokenizer)
    read.no_padding()
    read.no_truncation()
    sources = {f'commits {r}': lambda r=r: commits(clones, r) for r in COMMITS} | {f'docs {r}': lambda r=r: docs(clones, r) for r in DOCS}
    sources |= {'irc': lambda: irc(clones), 'chats': lambda: chats(clones), 'talks': lambda: talks(clones), 'assistant': lambda: assistant(shared)}
    tokens, lengths, owner = [], [], []
    for number, (name, gather) in enumerate(sources.items()):
        pairs = list({b: (a, b, c) for a, b, c in gather()}.values())
        most = MOST.get(name.split()[0], 20000)
        pairs = [pairs[i] for i in sorted(rng.permutation(len(pairs))[:most])]
        print(name, len(pairs), pairs[0] if pairs else '', flush=True)
        for a, b, c in pairs:
            for text, limit in zip((a, b, c), LIMITS.values()):
                ids = read.encode(text[:1500], add_special_tokens=False).ids[:limit]
                tokens += ids
                lengths.append(len(ids))
            owner.append(number)
    np.savez_compressed(out, tokens=np.array(tokens, np.uint16), lengths=np.array(lengths, np.uint8), source=np.array(owner, np.uint8))


if __name__ == '__main__':
    main(*sys.argv[1:5])
