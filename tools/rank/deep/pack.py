# Packs described sets (describe.mjs --vocabulary) and the base model into a folder that fits on the training machine.
# python pack.py RANK_FOLDER BASE.safetensors OUT
import json, sys, zlib
import numpy as np
from safetensors.numpy import load_file

# What each set counts in total, how many candidates of a question are kept, and whether one marked candidate is enough: then a passage or a
# session is known, but not the sentence in it. Sets that count nothing are only measured.
SETS = {
    'friends': (1.0, 60, False), 'chats': (1.0, 36, False), 'longmemeval-tune': (0.35, 60, True), 'longmemeval-told': (0.6, 30, False),
    'molweni': (0.3, 60, False), 'encyclopaedia': (0.5, 40, False), 'notes': (0.25, 40, True), 'docs': (0.25, 40, True),
    'manuals': (0.15, 40, True), 'commits': (0.2, 40, True), 'changes': (0.2, 40, True), 'qmsum': (0.15, 40, True), 'meetings': (0.25, 40, True),
    # Prompts for which a fact helps, or none does.
    'tasks': (0.3, 60, True), 'agents': (0.25, 30, True),
    'locomo-tune': (0, 60, False), 'locomo-report': (0, 60, False),
}
FOLDS = 3


def main(folder, base, out, names):
    texts, known, offsets = [], {}, [0]
    sets = {}

    def number(tokens):
        key = tokens.tobytes()
        if key not in known:
            known[key] = len(texts)
            texts.append(tokens)
        return known[key]

    for name in names:
        weight, most, one = SETS[name]
        described = json.load(open(f'{folder}/{name}.json'))['groups']
        pairs = json.load(open(f'{folder}/{name}.pairs.json'))
        tokens = np.fromfile(f'{folder}/{name}.tokens', np.uint16)
        ends = np.cumsum([0] + pairs['lengths'])
        rows = {k: [] for k in ('text', 'before', 'right', 'session', 'fast')}
        groups = {k: [] for k in ('question', 'count', 'evidence', 'gold', 'fold', 'number')}
        # What is told in a haystack of LongMemEval is in the same part as its question.
        rounds = list(dict.fromkeys(group['round'] for group in described))
        folds = {r: (zlib.crc32(r.encode()) if r.startswith('longmemeval') else at) % FOLDS for at, r in enumerate(rounds)}
        cut = lambda at: tokens[ends[at]:ends[at + 1]]
        for place, (group, pair) in enumerate(zip(described, pairs['groups'])):
            count = min(len(group['right']), most)
            # Evidence that the search missed comes last.
            missed = pair.get('missed', [])[:3] if weight else []
            right = group['right'] + [1] * len(missed)
            session = group['session'] + missed
            fast = pair['fast'] + [-20] * len(missed)
            answered = group['evidence'] + group['gold'] > 0
            if weight and answered and (not any(right) or all(right)):
                continue
            # Evidence beyond the kept candidates replaces the last of them.
            chosen = list(range(count))
            late = [at for at in range(count, len(right)) if right[at]][:8]
            if weight and late:
                chosen = sorted(set(chosen[:count - len(late)]) | set(late) | {at for at in chosen if right[at]})
            groups['question'].append(number(cut(pair['question'])))
            groups['count'].append(len(chosen))
            groups['evidence'].append(group['evidence'])
            groups['gold'].append(group['gold'])
            groups['number'].append(place)
            groups['fold'].append(folds[group['round']])
            for at in chosen:
                rows['text'].append(number(cut(pair['text'][at])))
                rows['before'].append(number(cut(pair['before'][at])))
                rows['right'].append(right[at])
                rows['session'].append(session[at])
                rows['fast'].append(fast[at])
        kinds = {'text': np.int32, 'before': np.int32, 'right': np.uint8, 'session': np.uint8, 'fast': np.float16}
        sets[name] = {k: np.array(v, kinds[k]) for k, v in rows.items()} | {k: np.array(v, np.int32) for k, v in groups.items()}
        sets[name] |= {'weight': np.float32(weight), 'one': np.bool_(one)}
        print(name, len(groups['count']), len(rows['right']), len(texts), sum(map(len, texts)))
    lengths = np.array([len(t) for t in texts], np.uint8)
    arrays = {'lengths': lengths, 'tokens': np.concatenate(texts)}
    for name, one in sets.items():
        arrays |= {f'{name}/{k}': v for k, v in one.items()}
    np.savez_compressed(f'{out}/data.npz', **arrays)
    weights = {}
    for name, value in load_file(base).items():
        name = name.removeprefix('bert.').removeprefix('model.')
        if 'pooler' in name or 'position_ids' in name:
            continue
        value = value.astype(np.float32)
        if 'position_embeddings' in name:
            value = value[:128]
        if value.ndim == 2 and value.shape[0] > 128:
            scale = np.abs(value).max(1) / 127
            weights[name] = np.round(value / np.maximum(scale, 1e-8)[:, None]).astype(np.int8)
            weights[f'{name}:scale'] = scale.astype(np.float32)
        else:
            weights[name] = value.astype(np.float16 if value.ndim == 2 else np.float32)
    np.savez_compressed(f'{out}/base.npz', **weights)


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:] or list(SETS))
