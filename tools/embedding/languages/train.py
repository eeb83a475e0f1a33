"""Fits the rows of the languages table on a GPU: python3 train.py DATA TABLE OUT [seconds].

A translation's vector, the sum of its rows, learns to be the vector of the English text: the cosine, and a softmax over the
English texts of the batch in both directions. English rows do not move. Then the rows are quantised by products: 64 groups of
four numbers, each one of 256 codes.
"""
import json
import lzma
import sys
import time

import numpy
import torch
import torch.nn.functional as F

data, table_path, out = sys.argv[1:4]
seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 240
device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(7)
numpy.random.seed(7)
started = time.time()
end = 2**32 - 1


def read(name):
    with lzma.open(f"{data}/{name}.u32.xz") as file:
        return numpy.frombuffer(file.read(), dtype="<u4")


def runs(values):
    stops = numpy.flatnonzero(values == end)
    starts = numpy.concatenate([[0], stops[:-1] + 1])
    return values.astype(numpy.int64), starts, stops - starts


def read_table(path):
    raw = open(path, "rb").read()
    rows, width = numpy.frombuffer(raw, "<u4", 2, 8)
    scales = numpy.frombuffer(raw, "<f4", rows, 32)
    values = numpy.frombuffer(raw, "i1", rows * width, 32 + 4 * rows).reshape(rows, width)
    return values.astype(numpy.float32) * scales[:, None]


english = torch.tensor(read_table(table_path), device=device)
size, width = english.shape
originals, other = runs(read("en")), runs(read("other"))
links, kinds = read("links").astype(numpy.int64), read("kinds")
rows = int(other[0][other[0] != end].max()) + 1 - size
print(f"{len(links)} pairs, {len(originals[1])} English texts, {rows} rows, {time.time() - started:.0f} s", flush=True)


flat_en, flat_other = (torch.tensor(v[0], device=device) for v in (originals, other))
starts_en, starts_other = (torch.tensor(v[1], device=device) for v in (originals, other))
lengths_en, lengths_other = (torch.tensor(v[2], device=device) for v in (originals, other))
links_t = torch.tensor(links, device=device)


def bags(flat, starts, lengths, chosen, longest=96):
    """Row numbers of the chosen texts, one text a line; -1 after its end."""
    length = lengths[chosen].clamp(max=longest)
    grid = torch.arange(int(length.max().clamp(min=1)), device=device)[None, :]
    index = (starts[chosen][:, None] + grid).clamp(max=len(flat) - 1)
    return torch.where(grid < length[:, None], flat[index], torch.full_like(index, -1))


def embed(bag, full):
    full = torch.cat([full, full.new_zeros(1, width)])
    return F.embedding_bag(torch.where(bag < 0, len(full) - 1, bag), full, mode="sum", padding_idx=len(full) - 1)


with torch.no_grad():
    sums = []
    for at in range(0, len(starts_en), 4096):
        chosen = torch.arange(at, min(at + 4096, len(starts_en)), device=device)
        sums.append(embed(bags(flat_en, starts_en, lengths_en, chosen), english))
    sums = torch.cat(sums)
    targets, target_lengths = F.normalize(sums, dim=1), sums.norm(dim=1).clamp(min=1e-3)

usable = numpy.flatnonzero((other[2] > 0) & (targets.norm(dim=1) > 0.5).cpu().numpy()[links])
checked = usable[numpy.random.rand(len(usable)) < 0.01]
# A text whose English original is checked in any language is not fitted in the others.
held = numpy.isin(links, links[checked])
fitted = usable[~held[usable]]
counts = numpy.bincount(kinds[fitted], minlength=10)
weights = (counts.mean() / counts)[kinds[fitted]] ** 0.5
drawn = torch.tensor(weights / weights.sum(), device=device).cumsum(0).float()
fitted_t = torch.tensor(fitted, device=device)
print("fitted", len(fitted), "checked", len(checked), flush=True)


def measure(full, label):
    """Of the checked texts: mean cosine, and how often the English text is the nearest of 1,000."""
    line = []
    with torch.no_grad():
        for kind in range(10):
            own = checked[kinds[checked] == kind][:1000]
            if len(own) < 50:
                continue
            chosen = torch.tensor(own, device=device)
            vectors = F.normalize(embed(bags(flat_other, starts_other, lengths_other, chosen), full), dim=1)
            goal = targets[links_t[chosen]]
            scores = vectors @ goal.T
            cosine = scores.diagonal().mean().item()
            same = (goal @ goal.T > 0.999)
            first = ((scores > scores.diagonal()[:, None]) & ~same).sum(1).eq(0).float().mean().item()
            line.append((round(cosine, 3), round(first, 3)))
    mean = [round(sum(values) / len(line), 4) for values in zip(*line)]
    print(f"{time.time() - started:.0f} s {label}: {mean} {line}", flush=True)
    return mean


def train(table, budget, rate, temperature, share, batch=8192):
    optimiser = torch.optim.Adam([table], lr=rate, betas=(0.9, 0.99))
    begun = time.time()
    step = 0
    while True:
        passed = (time.time() - begun) / budget
        if passed >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1, step / 100) * (1 - passed) + 1e-6
        chosen = fitted_t[torch.searchsorted(drawn, torch.rand(batch, device=device)).clamp(max=len(fitted) - 1)]
        bag = bags(flat_other, starts_other, lengths_other, chosen)
        # Some words are omitted, so that each learns to carry its share.
        drop = (torch.rand(bag.shape, device=device) < 0.1) & (torch.rand(len(bag), 1, device=device) < 0.5)
        bag = torch.where(drop & ((bag >= 0).sum(1, keepdim=True) > 3), torch.full_like(bag, -1), bag)
        sums = embed(bag, torch.cat([english, table]))
        vectors = F.normalize(sums, dim=1)
        goal = targets[links_t[chosen]]
        scores = vectors @ goal.T / temperature
        labels = torch.arange(batch, device=device)
        # The same English text may be in the batch more than once.
        same = (links_t[chosen][:, None] == links_t[chosen][None, :]) & (labels[:, None] != labels[None, :])
        scores = scores.masked_fill(same, -1e4)
        contrast = (F.cross_entropy(scores, labels) + F.cross_entropy(scores.T, labels)) / 2
        cosine = 1 - (vectors * goal).sum(1).mean()
        # Comparable lengths, so that words of both tables have comparable weights in a text.
        ratio = sums.norm(dim=1).clamp(min=1e-3).log() - target_lengths[links_t[chosen]].log()
        loss = cosine + share * contrast + 0.02 * ratio.pow(2).mean()
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
    print(f"{step} steps, {time.time() - started:.0f} s", flush=True)


def quantise(table, groups=64, rounds=12):
    """Codes for each group of numbers, after scaling rows to length one: k-means, weighted by use."""
    length = table.norm(dim=1, keepdim=True).clamp(min=1e-6)
    unit = table / length
    parts = unit.view(len(unit), groups, -1)
    used = torch.bincount(flat_other[flat_other >= size][flat_other[flat_other >= size] != end] - size, minlength=len(unit)).float().clamp(min=1).sqrt()
    codes, books = [], []
    for group in range(groups):
        points = parts[:, group]
        book = points[torch.multinomial(used, 256, replacement=False)].clone()
        for _ in range(rounds):
            nearest = torch.cdist(points, book).argmin(1)
            mass = torch.zeros(256, device=device).index_add_(0, nearest, used)
            mean = torch.zeros_like(book).index_add_(0, nearest, points * used[:, None])
            book = torch.where(mass[:, None] > 0, mean / mass[:, None].clamp(min=1e-6), book)
        codes.append(torch.cdist(points, book).argmin(1))
        books.append(book)
    return torch.stack(codes, 1), torch.stack(books), length


def restore(codes, books, length):
    return torch.cat([books[group][codes[:, group]] for group in range(len(books))], 1) * length


def save(name, codes, books, length):
    # Codebooks become int8 with one scale.
    scale = books.abs().max().item() / 127
    numpy.savez(f"{out}/{name}.npz", codes=codes.to(torch.uint8).cpu().numpy(),
                books=(books / scale).round().clamp(-127, 127).to(torch.int8).cpu().numpy(), scale=numpy.float32(scale),
                lengths=length[:, 0].cpu().numpy().astype(numpy.float16))


variants = json.loads(sys.argv[5]) if len(sys.argv) > 5 else [dict(rate=0.02, temperature=0.05, share=0.3)]
for number, variant in enumerate(variants):
    torch.manual_seed(7)
    table = torch.nn.Parameter(torch.randn(rows, width, device=device) * 0.01)
    groups = variant.pop("groups", 64)
    train(table, seconds / len(variants), **variant)
    found = measure(torch.cat([english, table.detach()]), json.dumps(variant))
    codes, books, length = quantise(table.detach(), groups)
    packed = restore(codes, books, length)
    found = measure(torch.cat([english, packed]), f"{groups} codes")
    save(f"languages-{number}", codes, books, length)
    norms = table.detach().norm(dim=1)
    print("lengths", [round(norms.quantile(q).item(), 3) for q in (0.05, 0.25, 0.5, 0.75, 0.95)], flush=True)
print(f"{time.time() - started:.0f} s", flush=True)
