# The deep ranker: a BERT-style cross-encoder with a head after some of its layers, and the rounding that the product's kernel does.
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F


def round_ste(x):
    return x + (x.round() - x).detach()


def quantise_rows(weight, most):
    """Per-row symmetric rounding to integers in -most..most; the gradient passes through."""
    scale = weight.detach().abs().amax(-1, keepdim=True).clamp_min(1e-8) / most
    return (weight / scale + ((weight / scale).round().clamp(-most, most) - weight / scale).detach()) * scale


class Linear(nn.Linear):
    quantised = False

    def forward(self, x):
        if not self.quantised:
            return super().forward(x)
        scale = x.detach().float().abs().amax(-1, keepdim=True).clamp_min(1e-8) / 127
        x = round_ste(x.float() / scale) * scale
        return F.linear(x, quantise_rows(self.weight, 63), self.bias)


class Layer(nn.Module):
    def __init__(self, width, heads, inner, epsilon):
        super().__init__()
        self.heads = heads
        self.qkv = Linear(width, 3 * width)
        self.out = Linear(width, width)
        self.norm1 = nn.LayerNorm(width, eps=epsilon)
        self.up = Linear(width, inner)
        self.down = Linear(inner, width)
        self.norm2 = nn.LayerNorm(width, eps=epsilon)

    def forward(self, x, mask, drop):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        a = a.transpose(1, 2).reshape(batch, length, width)
        x = self.norm1(x + F.dropout(self.out(a), drop, self.training))
        return self.norm2(x + F.dropout(self.down(F.gelu(self.up(x))), drop, self.training))


class Ranker(nn.Module):
    def __init__(self, pieces, layers=6, exits=(6,), width=384, heads=12, inner=1536, positions=128, epsilon=1e-12):
        super().__init__()
        self.exits = exits
        self.embedding = nn.Embedding(pieces, width)
        self.positions = nn.Embedding(positions, width)
        self.types = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=epsilon)
        self.layers = nn.ModuleList(Layer(width, heads, inner, epsilon) for _ in range(layers))
        self.heads = nn.ModuleList(nn.Linear(width, 1) for _ in exits)
        self.similar = nn.Linear(width, 1)
        self.quantised = False
        self.drop = 0.1

    def quantise(self, on=True):
        self.quantised = on
        for module in self.modules():
            if isinstance(module, Linear):
                module.quantised = on
        return self

    def forward(self, tokens, types, lengths, whole=False):
        """One logit per exit, and how similar question and text are: [exits + 1, batch]; or the last states."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.embedding(tokens)
        if self.quantised:
            x = quantise_rows(x, 7)
        x = self.norm(x + self.positions(places) + self.types(types))
        x = F.dropout(x, self.drop, self.training)
        mask = (places < lengths[:, None])[:, None, None, :]
        logits = []
        for number, layer in enumerate(self.layers, 1):
            x = layer(x, mask, self.drop)
            if number in self.exits:
                logits.append(self.heads[self.exits.index(number)](x[:, 0]).float().squeeze(-1))
        return x if whole else torch.stack([*logits, self.similar(x[:, 0]).float().squeeze(-1)])

    def load_base(self, arrays, keep):
        """Base weights as rows of bytes with scales; `keep` are the numbers of the layers to start from."""
        def get(name):
            value = arrays[name].astype(np.float32)
            scale = arrays.get(f'{name}:scale')
            return torch.from_numpy(value * scale[:, None] if scale is not None else value)

        with torch.no_grad():
            self.embedding.weight.copy_(get('embeddings.word_embeddings.weight'))
            self.positions.weight.copy_(get('embeddings.position_embeddings.weight')[: self.positions.num_embeddings])
            self.types.weight.copy_(get('embeddings.token_type_embeddings.weight'))
            self.norm.weight.copy_(get('embeddings.LayerNorm.weight'))
            self.norm.bias.copy_(get('embeddings.LayerNorm.bias'))
            for layer, number in zip(self.layers, keep):
                at = f'encoder.layer.{number}.'
                for part in ('weight', 'bias'):
                    parts = [get(f'{at}attention.self.{name}.{part}') for name in ('query', 'key', 'value')]
                    getattr(layer.qkv, part).copy_(torch.cat(parts))
                    getattr(layer.out, part).copy_(get(f'{at}attention.output.dense.{part}'))
                    getattr(layer.norm1, part).copy_(get(f'{at}attention.output.LayerNorm.{part}'))
                    getattr(layer.up, part).copy_(get(f'{at}intermediate.dense.{part}'))
                    getattr(layer.down, part).copy_(get(f'{at}output.dense.{part}'))
                    getattr(layer.norm2, part).copy_(get(f'{at}output.LayerNorm.{part}'))
            for head in [*self.heads, self.similar]:
                nn.init.normal_(head.weight, std=0.02)
                nn.init.zeros_(head.bias)
        return self
