"""Chooses the rows of this bench from clones: python3 mine.py CLONES. Writes tune.json and report.json beside this file: blobs
and byte offsets, no texts. Nothing of these repositories is used for training (tools/embedding/languages/sources.json)."""
import json
import pathlib
import re
import sys

here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here / "../../../tools/embedding/languages"))
import gather

clones = sys.argv[1]
languages = gather.languages
perSplit = 30


def mine_documents():
    """Headings and the paragraph below, in a course about devices, farms, maps and shops; whole lessons belong to one split."""
    clone = gather.Clone(f"{clones}/microsoft+IoT-For-Beginners/repo")
    lessons = sorted(path for path in clone.blobs if re.fullmatch(r"\d-\w+/lessons/[^/]+/README\.md", path))
    splits = [[], []]
    for lesson in lessons:
        split = min(splits, key=len)
        paths = {"en": lesson, **{language: f"translations/{language}/{lesson}" for language in languages}}
        sections = {language: find_sections(clone.read(path) or "") for language, path in paths.items()}
        levels = [heading[0] for heading, _ in sections["en"]]
        if any([heading[0] for heading, _ in own] != levels for own in sections.values()):
            continue
        taken = 0
        for index, (heading, _) in enumerate(sections["en"]):
            own = {language: found[index] for language, found in sections.items()}
            title = heading[1].lstrip("🚀 ")
            if re.match(r"Introduction|Challenge|Review|Task|Conclusion|Deeper dive|Set up|Pre|Post", title) or len(title.split()) < 2:
                continue
            if taken == 8 or any(first is None or not 25 <= len(first[1]) <= 700 for _, first in own.values()):
                continue
            taken += 1
            texts = {language: {"question": [clone.blobs[paths[language]], *asked[2:]], "fact": [clone.blobs[paths[language]], *first[2:]]}
                     for language, (asked, first) in own.items()}
            split.append({"id": f"{lesson.split('/')[2]}-{index}", "texts": texts})
    return splits


def find_sections(text):
    """Headings with their first block if it is a paragraph."""
    parts = find_parts(text)
    return [(part, parts[at + 1] if at + 1 < len(parts) and parts[at + 1][0] == "p" else None)
            for at, part in enumerate(parts) if part[0] in ("##", "###", "####")]


def find_parts(text):
    """Kind, text and byte offsets of the blocks outside code."""
    masked = re.sub(r"^```.*?^```|<!--.*?-->", lambda found: re.sub(r"[^\n]", "\0", found.group(0)), text, flags=re.S | re.M)
    parts = []
    for found in re.finditer(r"[^\n]+(?:\n(?!\s*\n)(?!\s*(?:[-*+#]|\d+\.)\s)[^\n]+)*", masked):
        raw = found.group(0)
        if "\0" in raw or not raw.strip():
            continue
        kind = re.match(r"\s*(#+|[-*+](?=\s)|\d+\.|\||>|!\[|✅|💁)", raw)
        kind = kind.group(1) if kind else "p"
        start = found.start() + (len(re.match(r"#+\s+", raw).group(0)) if kind.startswith("#") and re.match(r"#+\s+", raw) else 0)
        stop = found.end()
        parts.append(("1." if kind[0].isdigit() else kind, text[start:stop], len(text[:start].encode()), len(text[:stop].encode())))
    return parts


def mine_questions():
    """Questions about encyclopaedic articles and the sentence with the answer."""
    clone = gather.Clone(f"{clones}/google-deepmind+xquad/repo")
    names = ["en", "de", "es", "ru", "ar", "hi", "zh"]
    raw = {name: clone.read(f"xquad.{name}.json") for name in names}
    read = {name: json.loads(text)["data"] for name, text in raw.items()}
    splits = [[], []]
    for article in range(len(read["en"])):
        for paragraph in range(len(read["en"][article]["paragraphs"])):
            texts = {}
            for name in names:
                own = read[name][article]["paragraphs"][paragraph]
                asked = own["qas"][0]
                fact = find_sentence(own["context"], asked["answers"][0]["answer_start"])
                at = {}
                for key, value in (("question", asked["question"]), ("fact", fact)):
                    for spelt in (json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]):
                        start = raw[name].find(spelt)
                        if start >= 0:
                            at[key] = [clone.blobs[f"xquad.{name}.json"], len(raw[name][:start].encode()), len(raw[name][: start + len(spelt)].encode())]
                            break
                if len(at) == 2 and 15 <= len(fact) <= 400:
                    texts[name] = at
            if len(texts) == len(names):
                splits[article % 2].append({"id": f"xquad-{article}-{paragraph}", "texts": texts})
    return splits


def mine_answers():
    """Questions that sites answer for their visitors, with the first paragraph of the answer: the FAQ of bitcoin.org, and the quiz of
    ethereum.org with the explanation of the right choice."""
    names = {"en": ("en", "en"), "zh": ("zh_CN", "zh"), "pt": ("pt_BR", "pt-br"), **{name: (name, name) for name in ("ja", "ko", "de", "fr", "es", "ru", "ar", "hi")}}
    faq = gather.Clone(f"{clones}/bitcoin-dot-org+bitcoin.org/repo")
    pages = {name: f"_translations/{own}.yml" for name, (own, _) in names.items()}
    sections = {name: re.search(r"^  faq:\n.*?(?=^  [a-z]\S*:\n)", faq.read(path), re.S | re.M) for name, path in pages.items()}
    found = {name: find_values(faq, pages[name], r'^    (\w+): "((?:[^"\\]|\\.)*)"', *section.span()) for name, section in sections.items()}
    rows = [pair_values(f"faq-{key}", found, key, f"{key}txt1") for key in found["en"] if f"{key}txt1" in found["en"]]
    quiz = gather.Clone(f"{clones}/ethereum+ethereum-org-website/repo")
    found = {name: find_values(quiz, f"src/intl/{own}/learn-quizzes.json", r'^  "([^"]+)": "((?:[^"\\]|\\.)*)"') for name, (_, own) in names.items()}
    bank = quiz.read("src/data/quizzes/questionBank.ts").split("questionBankConfig", 2)[2]
    for topic, body in re.findall(r'^  "?([\w-]+)"?: \[(.*?)^  \]', bank, re.S | re.M):
        for at, (_, right) in enumerate(re.findall(r"totalAnswers: (\d), correctAnswer: (\d)", body)):
            key = f"{topic}-{at + 1}"
            asked = found["en"].get(f"{key}-prompt")
            if asked and asked[0].endswith("?"):
                rows.append(pair_values(key, found, f"{key}-prompt", f"{key}-{'abcd'[int(right) - 1]}-explanation"))
    rows = [row for row in rows if row]
    return [rows[at::2] for at in range(2)]


def find_values(clone, path, pattern, start=0, stop=None):
    """Text and excerpt of each string by its key."""
    text = clone.read(path)
    return {one.group(1): (one.group(2), [clone.blobs[path], len(text[: one.start(2)].encode()), len(text[: one.end(2)].encode())])
            for one in re.compile(pattern, re.M).finditer(text, start, len(text) if stop is None else stop)}


def pair_values(name, found, asked, answer):
    """Rows that every language has, with an answer that is more than a word."""
    if any(asked not in own or answer not in own or len(own[answer][0]) < 25 for own in found.values()):
        return None
    return {"id": name, "texts": {language: {"question": own[asked][1], "fact": own[answer][1]} for language, own in found.items()}}


def find_sentence(context, at):
    ends = [found.end() for found in re.finditer(r"[.!?।؟](?=\s)|[。！？]", context)]
    start = max([0, *(end for end in ends if end <= at)])
    return context[start : min([len(context), *(end for end in ends if end > at)])].strip()


def mine_prompts():
    """Sentences about other things."""
    names = {"en": "English", "zh": "Chinese", "ko": "Korean", "de": "German", "fr": "French", "es": "Spanish", "pt": "Portuguese",
             "ru": "Russian", "ar": "Arabic", "hi": "Hindi"}
    splits = [{}, {}]
    for language, name in names.items():
        clone = gather.Clone(f"{clones}/UniversalDependencies+UD_{name}-PUD/repo")
        path = f"{language}_pud-ud-test.conllu"
        text = clone.read(path)
        found = [one for one in re.finditer(r"# text = (.{20,160})\n", text)]
        add_prompts(splits, language, clone.blobs[path], text, [one.span(1) for one in found])
    clone = gather.Clone(f"{clones}/google-research+url-nlp/repo")
    text = clone.read("mgsm/mgsm_ja.tsv")
    add_prompts(splits, "ja", clone.blobs["mgsm/mgsm_ja.tsv"], text, [one.span(1) for one in re.finditer(r"^([^\t]{20,160})\t", text, flags=re.M)])
    return splits


def add_prompts(splits, language, blob, text, spans):
    step = len(spans) // (2 * perSplit)
    for at in range(2 * perSplit):
        start, stop = spans[at * step]
        splits[at % 2].setdefault(language, []).append([blob, len(text[:start].encode()), len(text[:stop].encode())])


def spread(rows):
    step = max(1, len(rows) / perSplit)
    return [rows[int(at * step)] for at in range(min(perSplit, len(rows)))]


documents, questions, answers, prompts = mine_documents(), mine_questions(), mine_answers(), mine_prompts()
for at, split in enumerate(("tune", "report")):
    print(split, len(documents[at]), len(questions[at]), len(answers[at]))
    content = {"documents": spread(documents[at]), "questions": spread(questions[at]), "answers": spread(answers[at]), "prompts": prompts[at]}
    lines = [f'"{key}": [\n' + ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows) + "\n]" if isinstance(rows, list)
             else f'"{key}": {json.dumps(rows, separators=(",", ":"))}' for key, rows in content.items()]
    (here / f"{split}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
