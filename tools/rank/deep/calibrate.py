# Fits the probability that a text answers a question to the logits of questions kept apart: each question counts the same.
# python calibrate.py FOLDER RUN.npz
import sys
import numpy as np

SETS = ('friends', 'chats', 'longmemeval-told', 'molweni', 'encyclopaedia', 'tasks')


def main(folder, run):
    data, logits = np.load(f'{folder}/data.npz'), np.load(run)
    x, y, w = [], [], []
    for name in SETS:
        count, start = data[f'{name}/count'], np.concatenate([[0], np.cumsum(data[f'{name}/count'])])
        numbers = logits[f'{name}/groups']
        rows = np.concatenate([np.arange(start[n], start[n + 1]) for n in numbers])
        found = data[f'{name}/fast'][rows] > -19
        x.append(logits[name][-2].astype(np.float64)[found])
        y.append(data[f'{name}/right'][rows][found] > 0)
        w.append(np.full(found.sum(), 1 / found.sum()))
    x, y, w = np.concatenate(x), np.concatenate(y).astype(np.float64), np.concatenate(w) / len(SETS)
    a, b = 1.0, 0.0
    for _ in range(50):
        p = 1 / (1 + np.exp(-(a * x + b)))
        g = np.array([(w * (p - y) * x).sum(), (w * (p - y)).sum()])
        d = w * p * (1 - p)
        h = np.array([[(d * x * x).sum(), (d * x).sum()], [(d * x).sum(), d.sum()]]) + 1e-9 * np.eye(2)
        a, b = np.array([a, b]) - np.linalg.solve(h, g)
    p = 1 / (1 + np.exp(-(a * x + b)))
    print(f'scale {a:.3f} offset {b:.3f}')
    for low in np.arange(0, 1, 0.1):
        bin = (p >= low) & (p < low + 0.1)
        if bin.any():
            print(f'{low:.1f}: said {np.average(p[bin], weights=w[bin]):.2f}, is {np.average(y[bin], weights=w[bin]):.2f}, {bin.sum()} candidates')


if __name__ == '__main__':
    main(*sys.argv[1:3])
