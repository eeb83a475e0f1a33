# Writes the trained ranker as assets/ranker.bin; src/search/rank/deep/model-file.ts reads it.
# python export.py RUN_FOLDER/ranker TOKENIZER.json ranker.bin FUSION SCALE OFFSET
import hashlib, json, sys
from pathlib import Path
import numpy as np

SHAPE = json.loads((Path(__file__).parent / 'shape.json').read_text())


def main(path, tokenizer, out, deep, scale, offset):
    embedding, state = np.load(f'{path}.embedding.npz'), np.load(f'{path}.layers.npz')
    exits = [int(e) for e in state['exits']]
    vocabulary = json.load(open(tokenizer))['model']['vocab']
    pieces = '\n'.join(sorted(vocabulary, key=vocabulary.get)).encode()
    rows = embedding['embedding.weight'].astype(np.int16) + 8
    packed = (rows[:, 0::2] | rows[:, 1::2] << 4).astype(np.uint8)
    tensors = [np.frombuffer(pieces, np.uint8), embedding['embedding.scale'], packed]
    tensors += [state[f'{name}.weight'] for name in ('positions', 'types')] + [state['norm.weight'], state['norm.bias']]
    for layer in range(exits[-1]):
        for name in ('qkv', 'out', 'norm1', 'up', 'down', 'norm2'):
            at = f'layers.{layer}.{name}'
            parts = ('weight', 'bias') if name.startswith('norm') else ('weight', 'scale', 'bias')
            tensors += [state[f'{at}.{part}'] for part in parts]
    for number in range(len(exits)):
        tensors += [state[f'heads.{number}.weight'], state[f'heads.{number}.bias']]
    header = {
        'layers': exits[-1], 'width': rows.shape[1], 'heads': rows.shape[1] // 32, 'inner': int(state['layers.0.up.weight'].shape[0]),
        'pieces': len(rows), 'positions': len(state['positions.weight']), 'embeddingBits': 4, 'vocabularyBytes': len(pieces), 'epsilon': 1e-12,
        **SHAPE, 'exits': exits,
        'fusion': {'fast': 1, 'deep': float(deep)}, 'calibration': {'scale': float(scale), 'offset': float(offset)},
    }
    head = json.dumps(header).encode()
    head += b' ' * (-(48 + len(head)) % 16)
    body = head
    for tensor in tensors:
        data = (tensor.astype(np.float32) if tensor.dtype.kind == 'f' else tensor).tobytes()
        body += data + bytes(-len(data) % 16)
    with open(out, 'wb') as file:
        file.write(b'LORERNK1' + len(head).to_bytes(4, 'little') + bytes(4) + hashlib.sha256(body).digest() + body)
    print(out, 48 + len(body), 'bytes')


if __name__ == '__main__':
    main(*sys.argv[1:7])
