"""Gathers pairs of an English text and its translation from clones of public repositories (sources.json, with licences).

python3 gather.py CLONES WORDNET OUT: CLONES has a bare clone of each repository as owner+name/repo, WORDNET is the folder dict
of WordNet 3.0 (npm package WNdb 3.0.1); writes OUT/<language>.tsv with source, English text and translation on each line.
"""
import collections
import html
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

here = pathlib.Path(__file__).parent
sources = json.loads((here / "sources.json").read_text())
languages = ["zh", "ja", "ko", "de", "fr", "es", "pt", "ru", "ar", "hi"]
letters = re.compile(r"[^\W\d_]")


class Clone:
    """Reads the files of a bare clone, at its newest commit or on a branch."""

    def __init__(self, folder, ref="HEAD"):
        listed = subprocess.run(["git", f"--git-dir={folder}", "ls-tree", "-r", "-z", ref], capture_output=True)
        self.blobs = {}
        for line in listed.stdout.decode("utf8", "replace").split("\0"):
            if "\t" in line:
                head, path = line.split("\t", 1)
                self.blobs[path] = head.split()[2]
        self.process = subprocess.Popen(
            ["git", f"--git-dir={folder}", "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def read(self, path):
        if path not in self.blobs:
            return None
        self.process.stdin.write(f"{self.blobs[path]}\n".encode())
        self.process.stdin.flush()
        head = self.process.stdout.readline().split()
        if head[-1] == b"missing":
            return None
        data = self.process.stdout.read(int(head[2]))
        self.process.stdout.read(1)
        return data.decode("utf8", "replace")


def clean(text):
    """Without markup and placeholders."""
    text = html.unescape(text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"<[^>]{0,200}>", " ", text)
    text = re.sub(r":[a-z+]+:`~?([^`<]*)[^`]*`", r"\1", text)
    text = re.sub(r"%(\d+\$)?[-.\d]*[sdif]|%\(\w+\)[sd]|\$?\{\{?[^}]{0,40}\}?\}|\\[nt'\"]", " ", text)
    text = re.sub(r"[*_`#>|~]+", " ", text)
    return re.sub(r"\s+", " ", text).strip()


def read_android(clone, _):
    """values/strings.xml and values-xx/strings.xml, by name."""
    for path in list(clone.blobs):
        match = re.fullmatch(r"(.*/)?values/([a-z_]*strings[a-z_]*|arrays)\.xml", path)
        if not match:
            continue
        english = parse_android(clone.read(path))
        for language in languages:
            for name in android_names[language]:
                other = parse_android(clone.read(path.replace("/values/", f"/values-{name}/", 1)))
                for key, text in other.items():
                    if key in english:
                        yield language, english[key], text


android_names = {language: [language] for language in languages}
android_names["zh"] = ["zh-rCN", "zh"]
android_names["pt"] = ["pt", "pt-rBR"]


def parse_android(text):
    found = {}
    try:
        root = ElementTree.fromstring(text or "<resources/>")
    except ElementTree.ParseError:
        return found
    for node in root:
        if node.tag == "string":
            found[node.get("name")] = "".join(node.itertext()).strip().strip('"')
        elif node.tag == "plurals":
            for item in node:
                if item.get("quantity") == "other":
                    found[f"{node.get('name')}*"] = "".join(item.itertext()).strip().strip('"')
    return found


def read_po(clone, pattern):
    """Catalogues; `pattern` has the language as a group."""
    for path in list(clone.blobs):
        match = re.fullmatch(pattern["path"], path)
        language = match and (pattern.get("language") or code(match.group(1)))
        if language in languages:
            for original, translated in parse_po(clone.read(path) or ""):
                yield language, original, translated


def parse_po(text):
    entry = {}
    field = None
    fuzzy = False
    for line in [*text.split("\n"), ""]:
        if line.startswith("#,") and "fuzzy" in line:
            fuzzy = True
        match = re.match(r'(msgid|msgid_plural|msgstr(?:\[\d\])?)?\s*"(.*)"\s*$', line)
        if match:
            if match.group(1):
                field = match.group(1)
                entry[field] = ""
            if field:
                entry[field] += re.sub(r'\\(["\\])', r"\1", match.group(2).replace("\\n", " "))
        elif line.strip() == "":
            translated = entry.get("msgstr") or entry.get("msgstr[1]") or entry.get("msgstr[0]")
            if entry.get("msgid") and translated and not fuzzy:
                yield entry["msgid"], translated
            entry, field, fuzzy = {}, None, False


def read_json(clone, pattern):
    """Message bundles: the same keys in all files. With `keyed`, the English text is the key."""
    if pattern.get("keyed"):
        for path in list(clone.blobs):
            match = re.fullmatch(pattern["path"], path)
            if match and code(match.group(1)) in languages:
                data = parse_json(clone.read(path))
                for key, text in flatten(data.get("contents", {}).get("bundle", {})).items():
                    yield code(match.group(1)), re.sub(r"/\{Locked=.*|/.*$", "", key[1:]), text
        return
    for path in list(clone.blobs):
        match = re.fullmatch(pattern["path"], path)
        if not match or code(match.group(1)) not in languages:
            continue
        english = flatten(parse_json(clone.read(english_path(pattern, match))))
        for key, text in flatten(parse_json(clone.read(path))).items():
            if isinstance(english.get(key), str):
                yield code(match.group(1)), english[key], text


def english_path(pattern, match):
    return pattern["english"].replace("*", match.group(2) if match.re.groups > 1 else "")


def parse_json(text):
    try:
        data = json.loads(re.sub(r"^\s*//.*$", "", text or "{}", flags=re.M))
        return data if isinstance(data, dict) else {}
    except json.JSONDecodeError:
        return {}


def flatten(value, before=""):
    if isinstance(value, str):
        return {before: value}
    found = {}
    if isinstance(value, dict):
        for key, inner in value.items():
            found.update(flatten(inner, f"{before}.{key}"))
    return found


def read_markdown(clone, pattern):
    """Translated documents: block by block where both have the same structure, sentence by sentence where counts agree."""
    for path in list(clone.blobs):
        match = re.fullmatch(pattern["path"], path)
        if not match or code(match.group(1)) not in languages:
            continue
        ours = split_blocks(clone.read(pattern["english"].replace("*", match.group(2))) or "")
        theirs = split_blocks(clone.read(path) or "")
        if [kind for kind, _ in ours] != [kind for kind, _ in theirs]:
            ours, theirs = match_sections(ours, theirs)
        for (_, original), (_, translated) in zip(ours, theirs):
            parts = split_sentences(original), split_sentences(translated)
            if 1 < len(parts[0]) == len(parts[1]):
                for one in zip(*parts):
                    yield code(match.group(1)), *one
            else:
                yield code(match.group(1)), original, translated


def match_sections(ours, theirs):
    """If only some sections differ, the others are still aligned."""
    def group(blocks):
        sections = [[]]
        for block in blocks:
            if block[0].startswith("#"):
                sections.append([])
            sections[-1].append(block)
        return sections

    pairs = [[], []]
    first, second = group(ours), group(theirs)
    if len(first) == len(second):
        for one, other in zip(first, second):
            if [kind for kind, _ in one] == [kind for kind, _ in other]:
                pairs[0] += one
                pairs[1] += other
    return pairs


def split_blocks(text):
    text = re.sub(r"^---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->|\{\{<.*?>\}\}", "", text, flags=re.S)
    blocks = []
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)", text):
        block = block.strip()
        if not block:
            continue
        kind = re.match(r"#+|[-*+](?=\s)|\d+\.|\||>|!\[", block)
        kind = kind.group(0) if kind else "p"
        blocks.append(("1." if kind[0].isdigit() else kind, re.sub(r"^(#+|[-*+]|\d+\.)\s+", "", block)))
    return blocks


def split_sentences(text):
    return [part for part in re.split(r"(?<=[.!?。！？।؟])\s+|(?<=[。！？])", text) if part and part.strip()]


def read_tldr(clone, _):
    """Pages with the same commands: the description of each."""
    names = {"zh": ["zh"], "pt": ["pt_BR", "pt_PT"], **{one: [one] for one in languages if one not in ("zh", "pt")}}
    for path in list(clone.blobs):
        match = re.fullmatch(r"pages/(.*\.md)", path)
        if not match:
            continue
        english = None
        for language in languages:
            for name in names[language]:
                other = clone.read(f"pages.{name}/{match.group(1)}")
                if not other:
                    continue
                english = english or clone.read(path)
                ours, theirs = ([line for line in text.split("\n") if line[:2] in ("> ", "- ")] for text in (english, other))
                if [line[0] for line in ours] == [line[0] for line in theirs]:
                    for one in zip(ours, theirs):
                        yield language, *(line[2:].rstrip(":：") for line in one)


def read_lines(clone, pattern):
    english = (clone.read(pattern["english"]) or "").split("\n")
    for language, path in pattern["paths"].items():
        other = (clone.read(path) or "").split("\n")
        if len(other) == len(english):
            for one in zip(english, other):
                yield language, *one


def read_emoji(clone, _):
    """Names and keywords of signs."""
    for folder in ("annotations", "annotations-derived"):
        def read(language):
            path = f"cldr-json/cldr-{folder}-full/{'annotations' if folder == 'annotations' else 'annotationsDerived'}/{language}/annotations.json"
            data = parse_json(clone.read(path))
            for key in ("annotations", "annotationsDerived"):
                if key in data:
                    return data[key]["annotations"]
            return {}

        english = read("en")
        for language in languages:
            for sign, names in read(language).items():
                if sign not in english or re.search("[\U0001f3fb-\U0001f3ff]", sign):
                    continue
                for field in ("tts", "default"):
                    if names.get(field) and english[sign].get(field):
                        yield language, " ".join(english[sign][field]), " ".join(names[field])


def read_wordnet(clone, pattern):
    """Translations of a sense: with its English words."""
    english = collections.defaultdict(list)
    for part, letter in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in (wordnet / f"data.{part}").read_text("latin1").split("\n"):
            fields = line.split(" ")
            if line and not line.startswith(" "):
                words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                english[f"{fields[0]}-{letter}"] = [re.sub(r"\(\w+\)$", "", word) for word in words]
    for language, paths in pattern["paths"].items():
        senses = collections.defaultdict(list)
        for path in paths:
            for line in (clone.read(path) or "").split("\n"):
                fields = line.split("\t")
                if len(fields) >= 3 and fields[1].endswith("lemma"):
                    word = fields[2].replace("_", " ").replace("+的", "").replace("+地", "")
                    senses[word].append(fields[0])
        for word, ids in senses.items():
            # A word of many senses has no direction.
            for id in ids[:4]:
                if english.get(id):
                    yield language, " ".join(english[id][:3]).replace("_", " "), word


def code(name):
    """The language of a locale name; other variants of Chinese are not used."""
    short = re.split(r"[-_]", name)[0].lower()
    if short == "zh" and re.search(r"tw|hk|mo|hant", name, re.I):
        return ""
    return short


wordnet = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".")


def main(clones, out):
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    files = {language: open(out / f"{language}.tsv", "w") for language in languages}
    counts = collections.Counter()
    seen = set()
    for source in sources:
        name = source["repository"].replace("/", "+")
        clone = Clone(f"{clones}/{name}/repo", source.get("branch", "HEAD"))
        for pattern in source.get("patterns", [{}]):
            for language, original, translated in readers[source["form"]](clone, pattern):
                if not isinstance(translated, str):
                    continue
                original, translated = clean(original)[:600], clean(translated)[:600]
                if not is_pair(original, translated, language) or (language, original, translated) in seen:
                    continue
                seen.add((language, original, translated))
                counts[name, language] += 1
                files[language].write(f"{name}\t{original}\t{translated}\n")
    for name in dict.fromkeys(name for name, _ in counts):
        print(name, *(f"{language}:{counts[name, language]}" for language in languages))
    print("all", *(f"{language}:{sum(n for (_, one), n in counts.items() if one == language)}" for language in languages))


scripts = {"zh": r"[\u4e00-\u9fff]", "ja": r"[\u3040-\u30ff\u4e00-\u9fff]", "ko": r"[\uac00-\ud7af]", "ru": r"[\u0400-\u04ff]",
           "ar": r"[\u0600-\u06ff]", "hi": r"[\u0900-\u097f]"}


def is_pair(original, translated, language):
    if original == translated or len(letters.findall(original)) < 3 or not letters.search(translated):
        return False
    own = scripts.get(language)
    if own and len(re.findall(own, translated)) < 0.3 * len(letters.findall(translated)):
        return False
    ratio = (len(translated) + 5) / (len(original) + 5)
    return (0.08 < ratio < 2 if language in ("zh", "ja", "ko") else 0.3 < ratio < 3.5)


readers = {"android": read_android, "po": read_po, "json": read_json, "markdown": read_markdown, "tldr": read_tldr,
           "lines": read_lines, "emoji": read_emoji, "wordnet": read_wordnet}

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3])
