// Which texts name somebody's home folder or the clone, and which only look like it.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Node } from '../node.ts';
import { findRefusal } from './export.ts';

function refuse(text: string, home: string): boolean {
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const node = { kind: 'memory', project: 'p', title: '', text, data: {} } as unknown as Node;
  return findRefusal(node, 'team', { root: '/srv/shop' }) !== undefined;
}

describe('findRefusal', () => {
  it.each([
    ['/root', 'The key is in /root/key.pem.'],
    ['/root', 'It is started in /root.'],
    ['/root', 'See file:///root/notes.'],
    ['/home/ann', 'Build it with -I/home/ann/include.'],
    ['/home/ann', 'Build it with -I/home/bob/include.'],
    ['/home/ann', 'It is in /var/home/ann.'],
    ['/home/ann', 'Start it in /srv/shop/bin.'],
    ['/home/ann', 'Start it in /srv/shop.'],
  ])('in %s refuses %j', (home, text) => {
    expect(refuse(text, home)).toBe(true);
  });

  it.each([
    ['/root', 'Reject nonconstant poles/roots in the recognizers.'],
    ['/root', 'The module is at tree/root of the package.'],
    ['/root', 'The image is mounted at /rootfs.'],
    ['/home/ann', 'The page is at example.org/home/index.'],
    ['/home/ann', 'It is in /srv/shopping.'],
  ])('in %s accepts %j', (home, text) => {
    expect(refuse(text, home)).toBe(false);
  });
});
