# Teaches the deep ranker which facts help a prompt: a second head, and all layers, which have to rank as before.
# python train.py FOLDER RANKER.bin OUT; FOLDER has what pack.mjs wrote. Then: python train.py write RANKER.bin OUT/layers.npz NEW.bin
import hashlib, json, struct, sys, time
from pathlib import Path
import numpy as np
import torch
import torch.nn.functional as F

sys.path.append(str(Path(__file__).parent.parent / 'deep'))
from model import Linear, Ranker

device = 'cuda' if torch.cuda.is_available() else 'cpu'
began = time.time()
CLS, SEP, MASK = 101, 102, 103
EPOCHS, BATCH, RATE, MASKED = 9, 24, 1e-4, 0.1
# Texts of other projects and of meetings beside a prompt's own facts; questions of the pairs in a step; the weight of ranking as before.
FOREIGN, TURNS, PAIRS, SAME = 6, 3, 32, 0.3
SILENT = 0.955


def say(*words):
    print(f'{time.time() - began:6.0f}', *words, flush=True)


class RankerFile:
    """assets/ranker.bin: its header, and its tensors as bytes, in the order of the file."""

    def __init__(self, path):
        data = Path(path).read_bytes()
        size = struct.unpack('<I', data[8:12])[0]
        self.header, self.at, self.data = json.loads(data[48:48 + size]), 48 + size, data
        self.words = [self.take(n) for n in (self.header['vocabularyBytes'], self.header['pieces'] * 4, self.header['pieces'] * self.header['width'] // 2)]

    def take(self, size):
        found = self.data[self.at:self.at + size]
        self.at += -(-size // 16) * 16
        return found

    def floats(self, *shape):
        return np.frombuffer(self.take(4 * int(np.prod(shape))), np.float32).reshape(shape)

    def linear(self, height, width):
        whole = np.frombuffer(self.take(height * width), np.int8).reshape(height, width)
        return whole * self.floats(height)[:, None], self.floats(height)

    def state(self):
        """What the model computes with."""
        h = self.header
        width = h['width']
        packed = np.frombuffer(self.words[2], np.uint8).reshape(h['pieces'], width // 2)
        rows = np.empty((h['pieces'], width), np.float32)
        rows[:, 0::2], rows[:, 1::2] = (packed & 15).astype(np.float32) - 8, (packed >> 4).astype(np.float32) - 8
        state = {'embedding.weight': rows * np.frombuffer(self.words[1], np.float32)[:, None]}
        state |= {'positions.weight': self.floats(h['positions'], width), 'types.weight': self.floats(2, width)}
        state |= {'norm.weight': self.floats(width), 'norm.bias': self.floats(width)}
        for layer in range(h['layers']):
            for name, shape in (('qkv', (3 * width, width)), ('out', (width, width)), ('norm1', None), ('up', (h['inner'], width)), ('down', (width, h['inner'])), ('norm2', None)):
                weight, bias = self.linear(*shape) if shape else (self.floats(width), self.floats(width))
                state |= {f'layers.{layer}.{name}.weight': weight, f'layers.{layer}.{name}.bias': bias}
        for name in ('heads.0', 'similar'):
            state |= {f'{name}.weight': self.floats(1, width), f'{name}.bias': self.floats(1)}
        return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in state.items()}


def load(path):
    file = RankerFile(path)
    model = Ranker(file.header['pieces'], layers=file.header['layers'], exits=(file.header['layers'],), positions=file.header['positions'])
    model.load_state_dict(file.state())
    # It is rounded already.
    model.embedding.weight.requires_grad_(False)
    for module in model.modules():
        if isinstance(module, Linear):
            module.quantised = True
    return model.to(device)


def pad(rows, asked):
    lengths, asked = np.array([len(row) for row in rows]), np.array(asked)
    tokens = np.zeros((len(rows), -(-lengths.max() // 8) * 8), np.int64)
    for at, row in enumerate(rows):
        tokens[at, :len(row)] = row
    place = np.arange(tokens.shape[1])[None]
    types = ((place >= asked[:, None]) & (place < lengths[:, None])).astype(np.int64)
    return tuple(torch.from_numpy(value).to(device) for value in (tokens, types, lengths))


class Data:
    def __init__(self, folder):
        prompts = json.loads((Path(folder) / 'prompts.json').read_text())
        self.texts, self.sets, self.turns = prompts['texts'], prompts['sets'], prompts['turns']
        tokens = np.fromfile(f'{folder}/pairs.u16', np.uint16).astype(np.int64)
        self.pairs = np.split(tokens, np.cumsum(np.fromfile(f'{folder}/pairs.lengths', np.uint8).astype(np.int64))[:-1])
        asked = json.loads((Path(folder) / 'pairs.json').read_text())
        firsts = np.concatenate([[0], np.cumsum([count for _, count in asked])])
        self.questions = [(length, range(firsts[at], firsts[at + 1])) for at, (length, _) in enumerate(asked)]

    def encode(self, prompts, texts):
        rows = [[CLS, *self.texts[p], SEP, *self.texts[t], SEP] for p, t in zip(prompts, texts)]
        return pad(rows, [len(self.texts[p]) + 2 for p in prompts])

    def encode_questions(self, numbers):
        found = [(length, self.pairs[row]) for length, rows in (self.questions[n] for n in numbers) for row in rows]
        return pad([row for _, row in found], [length for length, _ in found])


def train(data, path):
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    model, teacher = load(path).train(), load(path).eval()
    stores = data.sets['tasks']
    prompts = [(at, one) for at, store in enumerate(stores) for one in store['prompts']]
    facts = [(at, fact) for at, store in enumerate(stores) for fact in store['facts']]
    # Every tenth question is kept apart.
    questions = [n for n in range(len(data.questions)) if n % 10]
    steps = EPOCHS * (len(prompts) // BATCH)
    weights = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=RATE, weight_decay=0.01, fused=device == 'cuda')
    warm = steps // 15
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: min((s + 1) / warm, max(0.0, (steps - s) / (steps - warm))))
    for epoch in range(EPOCHS):
        order, sums = rng.permutation(len(prompts)), np.zeros(3)
        for at in range(0, len(order) - BATCH + 1, BATCH):
            prompt, text, owner, right = [], [], [], []
            for place, (store, one) in enumerate(prompts[n] for n in order[at:at + BATCH]):
                foreign = [fact for other, fact in (facts[k] for k in rng.integers(len(facts), size=FOREIGN)) if other != store]
                others = foreign + [data.turns[k] for k in rng.integers(len(data.turns), size=TURNS)]
                count = len(one['facts']) + len(others)
                prompt += [one['prompt']] * count
                text += one['facts'] + others
                owner += [place] * count
                right += one['right'] + [0] * len(others)
            tokens, types, lengths = data.encode(prompt, text)
            hidden = (torch.rand(tokens.shape, device=device) < MASKED) & (tokens != CLS) & (tokens != SEP)
            tensors = torch.where(hidden, MASK, tokens), types, lengths
            asked = data.encode_questions([questions[k] for k in rng.integers(len(questions), size=PAIRS)])
            with torch.autocast(device, torch.bfloat16, enabled=device == 'cuda'):
                (rank, helps), (again, _) = model(*tensors).float(), model(*asked).float()
                with torch.no_grad():
                    wanted, expected = teacher(*tensors)[0].float(), teacher(*asked)[0].float()
            loss = help_loss(helps, torch.tensor(owner, device=device), torch.tensor(right, device=device, dtype=torch.float32))
            same = F.mse_loss(again, expected)
            optimiser.zero_grad(set_to_none=True)
            (loss + SAME * (same + F.mse_loss(rank, wanted))).backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            schedule.step()
            sums += [float(loss.detach()), float(same.detach()), 1]
        say(f'epoch {epoch + 1}: loss {sums[0] / sums[2]:.3f}, ranks differently by {sums[1] / sums[2]:.3f}')
    return model.eval()


def help_loss(helps, owner, right):
    """The right facts of a prompt against all others and "none", whose logit is 0; and each fact alone."""
    most = torch.zeros(BATCH, device=device).scatter_reduce(0, owner, helps.detach(), 'amax')
    total = (-most).exp().index_add(0, owner, (helps - most[owner]).exp()).log() + most
    count = torch.zeros(BATCH, device=device).index_add(0, owner, right)
    found = torch.zeros(BATCH, device=device).index_add(0, owner, helps * right) / count.clamp_min(1)
    alone = F.binary_cross_entropy_with_logits(helps, right, reduction='none') * (1 + 3 * right)
    return (total - found).mean() + alone.mean()


@torch.no_grad()
def measure(model, data, path):
    for name in ('apart', 'tune'):
        right, wrong = [], []
        for one in (one for store in data.sets[name] for one in store['prompts']):
            helps = model(*data.encode([one['prompt']] * len(one['facts']), one['facts']))[1].cpu().numpy()
            marks = np.array(one['right']) > 0
            (right if marks.any() else wrong).append(helps[marks].max() if marks.any() else helps.max())
        least = np.quantile(wrong, SILENT)
        say(f'{name}: {100 * np.mean(np.array(right) > least):.1f} % helped at {100 * SILENT} % silence')
    teacher, same = load(path).eval(), []
    for n in range(0, len(data.questions), 10):
        a, b = (one(*data.encode_questions([n]))[0].cpu().numpy() for one in (model, teacher))
        same.append([a.argmax() == b.argmax(), np.corrcoef(a, b)[0, 1]])
    first, correlation = np.nanmean(np.array(same, float), 0)
    say(f'questions kept apart: the same text is first in {100 * first:.1f} %, correlation {correlation:.3f}')


def save(model, path):
    state = {name: value.detach().float().cpu().numpy() for name, value in model.state_dict().items() if not name.startswith('embedding')}
    for name in [name for name, module in model.named_modules() if isinstance(module, Linear)]:
        rows = state[f'{name}.weight']
        scale = np.maximum(np.abs(rows).max(1), 1e-8) / 63
        state[f'{name}.weight'], state[f'{name}.scale'] = np.round(rows / scale[:, None]).clip(-63, 63).astype(np.int8), scale.astype(np.float32)
    np.savez_compressed(path, **state)


def write(ranker, layers, out):
    """The words of a ranker with other layers."""
    file, state = RankerFile(ranker), np.load(layers)
    tensors = [np.frombuffer(words, np.uint8) for words in file.words]
    tensors += [state[name] for name in ('positions.weight', 'types.weight', 'norm.weight', 'norm.bias')]
    for layer in range(file.header['layers']):
        for name in ('qkv', 'out', 'norm1', 'up', 'down', 'norm2'):
            parts = ('weight', 'bias') if name.startswith('norm') else ('weight', 'scale', 'bias')
            tensors += [state[f'layers.{layer}.{name}.{part}'] for part in parts]
    tensors += [state[f'{name}.{part}'] for name in ('heads.0', 'similar') for part in ('weight', 'bias')]
    body = json.dumps(file.header).encode()
    body += b' ' * (-(48 + len(body)) % 16)
    size = len(body).to_bytes(4, 'little')
    for tensor in tensors:
        data = (tensor.astype(np.float32) if tensor.dtype.kind == 'f' else tensor).tobytes()
        body += data + bytes(-len(data) % 16)
    Path(out).write_bytes(b'LORERNK2' + size + bytes(4) + hashlib.sha256(body).digest() + body)


def main(folder, ranker, out):
    data = Data(folder)
    model = train(data, ranker)
    measure(model, data, ranker)
    save(model, f'{out}/layers.npz')


if __name__ == '__main__':
    write(*sys.argv[2:5]) if sys.argv[1] == 'write' else main(*sys.argv[1:4])
