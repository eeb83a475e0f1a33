// What the documents promise about themselves.
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { readSources } from '../support/source.ts';

const pages = readSources(/\.md$/).filter(({ path }) => path !== 'CLAUDE.md');

function linesOf(path: string): number {
  return (pages.find((page) => page.path === path)?.text ?? '').trimEnd().split('\n').length;
}

describe('documents', () => {
  it('are as short as they say', () => {
    expect(linesOf('README.md')).toBeLessThanOrEqual(150);
    expect(linesOf('AGENTS.md')).toBeLessThanOrEqual(80);
  });

  it('give every agent the same page', () => {
    expect(lstatSync(join(root, 'CLAUDE.md')).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(root, 'CLAUDE.md'))).toBe('AGENTS.md');
  });

  it('link to files that exist', () => {
    const broken = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, target]) => target as string)
        .filter((target) => !existsSync(join(root, posix.join(posix.dirname(path), target))))
        .map((target) => `${path} links to ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('name every dependency and what it saves us', () => {
    const manifest = JSON.parse(readSources(/^package\.json$/)[0]?.text ?? '{}');
    const contributing = pages.find(({ path }) => path === 'CONTRIBUTING.md')?.text ?? '';
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
      expect(contributing, `CONTRIBUTING.md says nothing of ${name}`).toContain(`\`${name}\``);
    }
  });

  it('and lock files name no host a package comes from', () => {
    for (const { path, text } of readSources(/(^|\/)(package-lock\.json|\.npmrc|package\.json)$/)) {
      expect(text, path).not.toMatch(/"resolved"|registry\s*=|registry\.[a-z]+\.[a-z]+/);
    }
  });
});
