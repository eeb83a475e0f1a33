# Trains the deep ranker and measures it on sets kept apart. Same input and seed, same model, up to the order of sums on a GPU.
# python train.py FOLDER OUT PLAN.json; FOLDER has what pack.py wrote; the plan is a list of runs (README.md)
import json, sys, time
import numpy as np
import torch
import torch.nn.functional as F
from model import Linear, Ranker

device = 'cuda' if torch.cuda.is_available() else 'cpu'
began = time.time()
CLS, SEP, MASK = 101, 102, 103


def say(*words):
    print(f'{time.time() - began:6.0f}', *words, flush=True)


class Data:
    """All texts on the device, as one array of tokens."""

    def __init__(self, folder):
        arrays, weak = np.load(f'{folder}/data.npz'), np.load(f'{folder}/weak.npz')
        self.tokens = torch.from_numpy(np.concatenate([arrays['tokens'], weak['tokens']]).astype(np.int32)).to(device)
        self.weak_from = len(arrays['lengths'])
        lengths = np.concatenate([arrays['lengths'], weak['lengths']]).astype(np.int64)
        self.lengths = torch.from_numpy(lengths).to(device)
        self.starts_cpu = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self.starts = torch.from_numpy(self.starts_cpu).to(device)
        self.sets = {}
        for key in arrays.files:
            if '/' in key:
                name, part = key.split('/')
                self.sets.setdefault(name, {})[part] = arrays[key]
        self.lengths_cpu = lengths
        self.empty = int(np.flatnonzero(lengths == 0)[0])
        self.sets['weak'] = self.mine(weak['source'])
        for one in self.sets.values():
            one['from'] = np.concatenate([[0], np.cumsum(one['count'])])

    def mine(self, source, most=24, pieces=30522):
        """Texts that share words with a question, from the same source, as wrong candidates; its own text is first."""
        texts, size = [], len(source)
        for number in np.unique(source):
            own = np.flatnonzero(source == number)
            bags = [self.bags(self.weak_from + 3 * own + part, pieces) for part in (0, 1)]
            frequency = bags[1].sum(0)
            bags[1] *= torch.log(len(own) / (frequency + 1)).clamp_min(0) / (bags[1].sum(1, keepdim=True) + 10).sqrt()
            likeness = (bags[0].bfloat16() @ bags[1].bfloat16().T).float()
            likeness.fill_diagonal_(1e4)
            texts.append(own[likeness.topk(min(most, len(own))).indices.cpu().numpy()].reshape(-1))
        count = np.concatenate([np.full((source == n).sum(), min(most, (source == n).sum())) for n in np.unique(source)])
        chosen = np.concatenate(texts)
        right = np.zeros(len(chosen), np.uint8)
        right[np.concatenate([[0], np.cumsum(count)[:-1]])] = 1
        order = np.concatenate([np.flatnonzero(source == n) for n in np.unique(source)])
        return {
            'question': self.weak_from + 3 * order, 'text': self.weak_from + 3 * chosen + 1, 'before': self.weak_from + 3 * chosen + 2,
            'right': right, 'session': np.zeros(len(chosen), np.uint8), 'fast': np.zeros(len(chosen), np.float16), 'count': count,
            'evidence': np.ones(size, np.int32), 'gold': np.ones(size, np.int32), 'fold': np.full(size, -1), 'weight': np.float32(0), 'one': np.bool_(False),
        }

    def bags(self, numbers, pieces):
        out = torch.zeros(len(numbers), pieces, device=device)
        for row, number in enumerate(numbers):
            first = self.starts_cpu[number]
            out[row, self.tokens[first:first + self.lengths_cpu[number]].long()] = 1
        return out

    @torch.no_grad()
    def embed(self, base):
        """Vectors of all texts by the untrained model, whose cosine the second head learns."""
        model = Ranker(base['embeddings.word_embeddings.weight'].shape[0]).load_base(base, range(6)).to(device).eval()
        self.vectors = torch.zeros(len(self.lengths), 384, dtype=torch.bfloat16, device=device)
        order = np.argsort(self.lengths_cpu, kind='stable')
        for at in range(0, len(order), 4096):
            some = torch.from_numpy(order[at:at + 4096]).to(device)
            length = self.lengths[some]
            place = torch.arange(int(length.max()) + 2, device=device)[None] - 1
            tokens = self.tokens[(self.starts[some][:, None] + place).clamp(0, len(self.tokens) - 1)].long()
            tokens = torch.where(place == length[:, None], SEP, tokens)
            tokens[:, 0] = CLS
            inside = (place <= length[:, None]).float()[..., None]
            with torch.autocast(device, torch.bfloat16, enabled=device == 'cuda'):
                states = model(tokens, torch.zeros_like(tokens), length + 2, whole=True).float()
            self.vectors[some] = F.normalize((states * inside).sum(1), dim=-1).bfloat16()

    def encode(self, question, text, before):
        """[CLS] question [SEP] text [SEP] before [SEP], padded to the longest."""
        parts = [torch.from_numpy(np.ascontiguousarray(p, dtype=np.int64)).to(device) for p in (question, text, before)]
        a, b, c = (self.lengths[p] for p in parts)
        total = a + b + 3 + torch.where(c > 0, c + 1, 0)
        width = int(-(-int(total.max()) // 8) * 8)
        at = torch.arange(width, device=device)[None]
        tokens = torch.zeros((len(total), width), dtype=torch.int64, device=device)
        for part, length, first in ((parts[0], a, torch.ones_like(a)), (parts[1], b, a + 2), (parts[2], c, a + b + 3)):
            place = at - first[:, None]
            inside = (place >= 0) & (place < length[:, None])
            source = (self.starts[part][:, None] + place).clamp(0, len(self.tokens) - 1)
            tokens = torch.where(inside, self.tokens[source].long(), tokens)
        tokens[:, 0] = CLS
        for end in (a + 1, a + b + 2, total - 1):
            tokens.scatter_(1, end[:, None], SEP)
        types = ((at >= (a + 2)[:, None]) & (at < total[:, None])).long()
        return tokens, types, total


def sample_groups(data, plan, fold, rng):
    """Numbers of groups for one epoch, by the weights of their sets."""
    pool = []
    for name, one in data.sets.items():
        weight = plan.get('weights', {}).get(name, 0 if plan.get('only') else float(one['weight']))
        usable = np.flatnonzero(one['fold'] != fold) if fold is not None else np.arange(len(one['count']))
        if weight <= 0 or len(usable) == 0:
            continue
        # More often than once an epoch, a question would be learned by heart.
        picked = rng.permutation(usable)[:int(weight * plan.get('size', 3000))]
        pool += [(name, int(number)) for number in picked]
    rng.shuffle(pool)
    return pool


absent = 0.12


def choose(one, number, most, rng):
    """Rows of a group for training: evidence, and wrong candidates, mostly from the first ones."""
    rows = np.arange(one['from'][number], one['from'][number + 1])
    right = one['right'][rows] > 0
    good, bad = rows[right], rows[~right]
    # Sometimes the memories hold no answer.
    good = good[:0] if rng.random() < absent and len(bad) else rng.permutation(good)[:4]
    order = np.arange(len(bad))
    chance = 1 / (order + 8.0)
    count = min(len(bad), most - len(good))
    bad = rng.choice(bad, count, replace=False, p=chance / chance.sum()) if count else bad[:0]
    return np.concatenate([good, bad]), len(good)


def make_batch(data, groups, most, rng, plan):
    question, text, before, owner, right, unit = [], [], [], [], [], []
    for at, (name, number) in enumerate(groups):
        one = data.sets[name]
        rows, good = choose(one, number, most, rng)
        # Texts of other questions: most memories have nothing to do with a question.
        others = [(data.sets[n], data.sets[n]['from'][k]) for n, k in (groups[rng.integers(len(groups))] for _ in range(plan.get('others', 0))) if (n, k) != (name, number)]
        count = len(rows) + len(others)
        question += [one['question'][number]] * count
        text.append(np.concatenate([one['text'][rows], [o['text'][row] for o, row in others]]).astype(np.int64))
        # Documents and first results have no turn before them.
        keep = rng.random() > 0.1
        near = np.concatenate([one['before'][rows], [o['before'][row] for o, row in others]]).astype(np.int64)
        before.append(near if keep else np.full(count, data.empty))
        owner += [at] * count
        right += [1] * good + [0] * (count - good)
        # Where one of a session is enough, its rows are one unit.
        unit += [int(s) if one['one'] else place for place, s in enumerate(one['session'][rows])] + [511] * len(others)
    tokens, types, total = data.encode(np.array(question), np.concatenate(text), np.concatenate(before))
    hidden = (torch.rand(tokens.shape, device=device) < plan.get('masked', 0.08)) & (tokens != CLS) & (tokens != SEP)
    tensors = torch.where(hidden, MASK, tokens), types, total
    to = lambda v: torch.tensor(v, device=device)
    likeness = (data.vectors[to(question)].float() * data.vectors[to(np.concatenate(text))].float()).sum(-1)
    return tensors, to(owner), to(right), to(unit), likeness


def list_loss(logits, owner, right, unit, groups):
    """Cross-entropy of each unit of evidence against the wrong candidates of its question and "no answer", whose logit is 0."""
    most = torch.zeros(groups, device=device).scatter_reduce(0, owner, logits.detach(), 'amax')
    e = (logits - most[owner]).exp()
    wrong = (-most).exp().index_add(0, owner, e * (1 - right))
    key = owner * 512 + unit
    keys, inverse = torch.unique(key[right > 0], return_inverse=True)
    mass = torch.zeros(len(keys), device=device).index_add(0, inverse, e[right > 0])
    its = keys // 512
    loss = (mass + wrong[its]).log() - mass.clamp_min(1e-20).log()
    share = 1 / torch.bincount(its, minlength=groups).clamp_min(1)[its]
    unanswered = torch.bincount(its, minlength=groups) == 0
    return ((loss * share).sum() + ((wrong.log() + most) * unanswered).sum()) / groups


def train(data, plan, base, teacher=None, start=None):
    torch.manual_seed(plan.get('seed', 1))
    rng = np.random.default_rng(plan.get('seed', 1))
    exits = tuple(plan.get('exits', [6]))
    model = Ranker(base['embeddings.word_embeddings.weight'].shape[0], layers=exits[-1], exits=exits)
    model.load_base(base, plan.get('keep', range(exits[-1])))
    model.drop = plan.get('drop', 0.1)
    if start is not None:
        model.load_state_dict(keep_layers(start, model, plan.get('keep', range(exits[-1]))), strict=False)
    model.to(device).train()
    model.quantise(plan.get('quantised', False))
    fold = plan.get('fold', 0)
    batch, most, epochs = plan.get('batch', 32), plan.get('candidates', 16), plan.get('epochs', 3)
    pools = [sample_groups(data, plan, fold, rng) for _ in range(epochs)]
    steps = sum(len(pool) // batch for pool in pools)
    optimiser = torch.optim.AdamW(model.parameters(), lr=plan.get('rate', 8e-5), weight_decay=0.01, fused=device == 'cuda')
    warm = max(1, int(0.06 * steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: min((s + 1) / warm, max(0.0, (steps - s) / max(1, steps - warm))))
    half = torch.autocast(device, torch.bfloat16, enabled=device == 'cuda')
    step, recent = 0, []
    for pool in pools:
        for at in range(0, len(pool) - batch + 1, batch):
            tensors, owner, right, unit, likeness = make_batch(data, pool[at:at + batch], most, rng, plan)
            with half:
                *logits, similar = model(*tensors)
            if teacher is not None:
                with torch.no_grad(), half:
                    wanted = sum(one(*tensors)[-2] for one in teacher) / len(teacher)
            # In the scale of a logit.
            loss = plan.get('similar', 0) * F.mse_loss(similar, 5 * likeness)
            for place, own in enumerate(logits):
                weight = 1.0 if place == len(exits) - 1 else plan.get('early', 0.5)
                loss = loss + weight * list_loss(own, owner, right.float(), unit, batch)
                if teacher is not None:
                    loss = loss + weight * plan.get('distil', 1.0) * distil_loss(own, wanted, owner, batch)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            recent.append(loss.detach())
            step += 1
            if step % 200 == 0:
                say(f"  {plan['name']} step {step}/{steps} loss {torch.stack(recent[-200:]).mean():.3f}")
            if time.time() - began > plan.get('stop', 1e9):
                say('  stopped early')
                return model.eval()
    return model.eval()


def keep_layers(state, model, keep):
    """The state of a smaller model: some layers, and no heads unless they are the same."""
    own = {k: v for k, v in state.items() if not k.startswith('layers.')}
    for place, number in enumerate(keep):
        own |= {k.replace(f'layers.{number}.', f'layers.{place}.', 1): v for k, v in state.items() if k.startswith(f'layers.{number}.')}
    return {k: v for k, v in own.items() if k in model.state_dict() and v.shape == model.state_dict()[k].shape}


def distil_loss(own, wanted, owner, groups):
    """Distance between the two distributions over the candidates of a question and "no answer"."""
    def spread(values):
        most = torch.zeros(groups, device=device).scatter_reduce(0, owner, values.detach(), 'amax')
        total = (-most).exp().index_add(0, owner, (values - most[owner]).exp()).log() + most
        return values - total[owner], -total
    (target, none), (given, given_none) = spread(wanted), spread(own)
    return ((target.exp() * (target - given)).sum() + (none.exp() * (none - given_none)).sum()) / groups


@torch.no_grad()
def score(model, data, name, numbers):
    """Logits of all candidates of these groups, and their likeness: [exits + 1, rows]."""
    one = data.sets[name]
    rows = np.concatenate([np.arange(one['from'][n], one['from'][n + 1]) for n in numbers])
    question = np.repeat(one['question'][numbers], one['count'][numbers])
    length = data.lengths_cpu[one['text'][rows]] + data.lengths_cpu[one['before'][rows]]
    order = np.argsort(length, kind='stable')
    out = np.zeros((len(model.exits) + 1, len(rows)), np.float32)
    half = torch.autocast(device, torch.bfloat16, enabled=device == 'cuda' and not model.quantised)
    for at in range(0, len(order), 2048):
        some = order[at:at + 2048]
        with half:
            out[:, some] = model(*data.encode(question[some], one['text'][rows[some]], one['before'][rows[some]])).cpu().numpy()
    return out


def measure(one, numbers, worth, top=60):
    """Figures of an order by `worth` of the first `top` by the fast stage."""
    sums, count, at = {}, 0, 0
    for number in numbers:
        size = one['count'][number]
        start = one['from'][number]
        own = worth[at:at + size]
        at += size
        fast = np.argsort(-one['fast'][start:start + size].astype(np.float32), kind='stable')
        fast = fast[one['fast'][start:start + size][fast] > -19]
        first = fast[:top]
        order = np.concatenate([first[np.argsort(-own[first], kind='stable')], fast[top:]])
        right = one['right'][start:start + size]
        session = one['session'][start:start + size]
        seen = list(dict.fromkeys(session[order].tolist()))
        gold = one['gold'][number]
        hit = lambda k: sum(s < gold for s in seen[:k])
        if gold == 0:
            continue
        figures = {'s1': float(hit(1) > 0), 's5': hit(5) / max(1, gold), 'all5': float(hit(5) == gold)}
        if one['evidence'][number]:
            figures |= {'R10': right[order[:10]].sum() / one['evidence'][number], 'R1': float(right[order[0]] > 0)}
        for k, v in figures.items():
            sums[k] = sums.get(k, 0) + v
        count += 1
    return {k: round(float(100 * v / max(1, count)), 1) for k, v in sums.items()}


def helped(one, numbers, logits, silent=0.95):
    """The share of prompts whose right fact is above the threshold that 95 % of the other prompts stay below."""
    right, wrong, at = [], [], 0
    for number in numbers:
        size, start = one['count'][number], one['from'][number]
        own, marks = logits[at:at + size], one['right'][start:start + size] > 0
        at += size
        if size == 0:
            continue
        (right if marks.any() else wrong).append(own[marks].max() if marks.any() else own.max())
    return round(100 * float(np.mean(np.array(right) > np.quantile(wrong, silent))), 1), len(right), len(wrong)


def fit_fusion(data, parts):
    """The weight of the deep logit beside the fast score, by the likelihood of the evidence on groups kept apart."""
    best = (1e9, 0)
    for deep in np.arange(0, 2.01, 0.1):
        loss, total = 0, 0
        for name, numbers, logits, weight in parts:
            one, at = data.sets[name], 0
            own = 0
            for number in numbers:
                size, start = one['count'][number], one['from'][number]
                worth = one['fast'][start:start + size].astype(np.float64) + deep * logits[at:at + size]
                at += size
                right = (one['right'][start:start + size] > 0) & (worth > -15)
                if not right.any() or right.all():
                    continue
                worth -= worth.max()
                own += np.log(np.exp(worth).sum()) - np.log(np.exp(worth[right]).sum())
            loss += weight * own / len(numbers)
        best = min(best, (loss, round(float(deep), 2)))
    return best[1]


def report(model, data, plan, out):
    """Prints figures on the groups kept apart and returns the fusion weight; writes all logits."""
    fold = plan.get('fold', 0)
    logits, apart = {}, {}
    for name, one in data.sets.items():
        numbers = np.arange(len(one['count'])) if one['weight'] == 0 or fold is None else np.flatnonzero(one['fold'] == fold)
        if len(numbers) == 0 or name == 'weak' or (fold is None and one['weight'] > 0) or (one['weight'] == 0 and not plan.get('test')):
            continue
        logits[name], apart[name] = score(model, data, name, numbers), numbers
    parts = [(n, apart[n], logits[n][-2], 1.0) for n in ('friends', 'chats', 'longmemeval-tune', 'longmemeval-told') if n in apart]
    deep = plan.get('deep') or fit_fusion(data, parts)
    say(f"{plan['name']}: fusion {deep}")
    for name, numbers in apart.items():
        one = data.sets[name]
        fast = np.concatenate([one['fast'][one['from'][n]:one['from'][n + 1]] for n in numbers]).astype(np.float32)
        lines = {'fast': measure(one, numbers, fast)}
        for place, layer in enumerate(model.exits):
            lines[f'deep{layer}'] = measure(one, numbers, logits[name][place])
            for top in (60,) if one['weight'] else (20, 40, 60):
                lines[f'fused{layer}@{top}'] = measure(one, numbers, fast + deep * logits[name][place], top)
        for key, figures in lines.items():
            say(f"  {plan['name']} {name} {key}: {figures}")
    if 'tasks' in apart:
        for place, layer in enumerate([*model.exits, 'similar']):
            say(f"  {plan['name']} tasks helped at 95 % silent, layer {layer}: {helped(data.sets['tasks'], apart['tasks'], logits['tasks'][place])}")
    if out:
        np.savez_compressed(f"{out}/{plan['name']}.npz", **{n: v.astype(np.float16) for n, v in logits.items()}, **{f'{n}/groups': v for n, v in apart.items()})
    return deep


def main(folder, out, path):
    base = dict(np.load(f'{folder}/base.npz'))
    data = Data(folder)
    data.embed(base)
    say('embedded')
    say('loaded', {n: len(s['count']) for n, s in data.sets.items()})
    models = {}
    for plan in json.load(open(path)):
        teacher = [models[n] for n in plan['teacher']] if 'teacher' in plan else None
        start = models[plan['start']].state_dict() if 'start' in plan else None
        model = models[plan['name']] = train(data, plan, base, teacher, start)
        if plan.get('report', True):
            report(model, data, plan, out)
        if plan.get('save'):
            save(model, f"{out}/{plan['name']}")


def save(model, path):
    """What the product computes with: whole numbers and scales (export.py). A file that comes back has at most 16 MiB, so there are two."""
    state = {k: v.detach().float().cpu().numpy() for k, v in model.state_dict().items()}
    whole = {name for name, module in model.named_modules() if isinstance(module, Linear)}
    for name in ['embedding', *sorted(whole)]:
        rows, most = state[f'{name}.weight'], 7 if name == 'embedding' else 63
        scale = np.maximum(np.abs(rows).max(1), 1e-8) / most
        state[f'{name}.weight'] = np.round(rows / scale[:, None]).clip(-most, most).astype(np.int8)
        state[f'{name}.scale'] = scale.astype(np.float32)
    np.savez_compressed(f'{path}.embedding.npz', **{k: state.pop(k) for k in list(state) if k.startswith('embedding.')})
    np.savez_compressed(f'{path}.layers.npz', exits=np.array(model.exits), **state)
    say('saved', path)


if __name__ == '__main__':
    main(*sys.argv[1:4])
