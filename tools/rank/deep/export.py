# Writes the trained ranker as assets/ranker.bin; src/search/rank/deep/model-file.ts reads it.
# python export.py RUN_FOLDER/ranker TOKENIZER.json ranker.bin FUSION
import hashlib, json, sys
from pathlib import Path
import numpy as np

SHAPE = json.loads((Path(__file__).parent / 'shape.json').read_text())


def main(path, tokenizer, out, deep):
    embedding, state = np.load(f'{path}.embedding.npz'), np.load(f'{path}.layers.npz')
    layers = int(state['exits'][-1])
    vocabulary = json.load(open(tokenizer))['model']['vocab']
    pieces = '\n'.join(sorted(vocabulary, key=vocabulary.get)).encode()
    rows = embedding['embedding.weight'].astype(np.int16) + 8
    packed = (rows[:, 0::2] | rows[:, 1::2] << 4).astype(np.uint8)
    tensors = [np.frombuffer(pieces, np.uint8), embedding['embedding.scale'], packed]
    tensors += [state[f'{name}.weight'] for name in ('positions', 'types')] + [state['norm.weight'], state['norm.bias']]
    for layer in range(layers):
        for name in ('qkv', 'out', 'norm1', 'up', 'down', 'norm2'):
            at = f'layers.{layer}.{name}'
            parts = ('weight', 'bias') if name.startswith('norm') else ('weight', 'scale', 'bias')
            tensors += [state[f'{at}.{part}'] for part in parts]
    # The second head is trained by ../relevance.
    last = len(state['exits']) - 1
    tensors += 2 * [state[f'heads.{last}.weight'], state[f'heads.{last}.bias']]
    header = {
        'layers': layers, 'width': rows.shape[1], 'heads': rows.shape[1] // 32, 'inner': int(state['layers.0.up.weight'].shape[0]),
        'pieces': len(rows), 'positions': len(state['positions.weight']), 'embeddingBits': 4, 'vocabularyBytes': len(pieces), 'epsilon': 1e-12,
        **SHAPE, 'fusion': {'fast': 1, 'deep': float(deep)},
    }
    head = json.dumps(header).encode()
    head += b' ' * (-(48 + len(head)) % 16)
    body = head
    for tensor in tensors:
        data = (tensor.astype(np.float32) if tensor.dtype.kind == 'f' else tensor).tobytes()
        body += data + bytes(-len(data) % 16)
    with open(out, 'wb') as file:
        file.write(b'LORERNK2' + len(head).to_bytes(4, 'little') + bytes(4) + hashlib.sha256(body).digest() + body)
    print(out, 48 + len(body), 'bytes')


if __name__ == '__main__':
    main(*sys.argv[1:5])
