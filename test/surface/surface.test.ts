// The pins: one file for each tool, and the reference pages and tables made from the values themselves.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { loadCommands } from '../../src/cli/commands/index.ts';
import { describeOptions } from '../../src/cli/help.ts';
import { describeToolCommand } from '../../src/cli/tool-usage.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Command } from '../../src/core/command.ts';
import { createLog } from '../../src/core/log.ts';
import { estimateTokens } from '../../src/core/text/budget.ts';
import { type Tool, toolName } from '../../src/core/tool.ts';
import { projectTool } from '../../src/protocol/project.ts';
import { modernRevisions } from '../../src/protocol/revision.ts';
import { createServices } from '../../src/services/index.ts';
import { root } from '../support/bundle.ts';
import { pinFile, pinSection } from '../support/pin.ts';
import { readSources } from '../support/source.ts';
import { documentedLines, readExample } from './example.ts';
import { renderManPage } from './man-page.ts';
import { renderCliPage, renderErrorPage, renderSettingsPage, renderToolPage, renderToolTable } from './surface.ts';

/** What one tool may cost every session of every agent; about four characters are a token. */
const maxToolLength = 1_400;

let app: App;
let tools: { tool: Tool; serviceId: string }[];

beforeAll(async () => {
  app = await createApp({
    config: loadConfig({ env: { LORE_CONFIG: '/nonexistent/lorekeeper.json' } }),
    log: createLog('silent'),
  });
  tools = createServices({ registry: app.registry, graph: app.graph, folders: app.folders, forge: { folder: '' } })
    .flatMap((service) => (service.tools?.() ?? []).map((tool) => ({ tool, serviceId: service.id })))
    .sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
});

afterAll(() => app.stop());

/** Without those that only a person's own commands call. */
const listed = () => tools.filter(({ tool }) => tool.scope === undefined);

describe('surface', () => {
  it('pins every tool with its schemas', () => {
    for (const { tool } of tools) {
      const seen = projectTool(tool, modernRevisions[0], true);
      pinFile(`test/surface/pins/${tool.name}.json`, JSON.stringify(seen, null, 2));
    }
    const pinned = readdirSync(join(root, 'test/surface/pins')).sort();
    expect(pinned).toEqual(tools.map(({ tool }) => `${tool.name}.json`));
  });

  it('has tools that keep the house rules', () => {
    for (const { tool } of tools) {
      expect(tool.name).toMatch(toolName);
      expect(tool.output, `${tool.name} has no output schema`).toBeDefined();
      expect(tool.render, `${tool.name} has no readable text`).toBeDefined();
      const { _meta, ...shown } = projectTool(tool, modernRevisions[0], false);
      const { length } = JSON.stringify(shown);
      expect(length, `${tool.name} costs too many tokens`).toBeLessThanOrEqual(maxToolLength);
    }
  });

  it('has a core profile, and tools to find all others, that cost little', () => {
    const cost = (names: (tool: Tool) => boolean | undefined) =>
      estimateTokens(
        JSON.stringify({
          tools: listed().flatMap(({ tool }) => (names(tool) ? projectTool(tool, modernRevisions[0], false) : [])),
        }),
      );
    expect(cost(({ core }) => core)).toBeLessThanOrEqual(1_500);
    expect(cost(({ name }) => name.startsWith('tool_'))).toBeLessThanOrEqual(1_200);
  });

  it('has commands whose options are described and whose examples can be read', async () => {
    const ownTools = listed().map(({ tool }) => ({ ...describeToolCommand(tool), run: () => 0 }));
    const all: Command[] = [...(await loadCommands()), ...ownTools];
    const undescribed = all.flatMap((command) =>
      describeOptions(command).flatMap(([option, help]) => (help === '' ? [`${command.name} ${option}`] : [])),
    );
    const examples = [
      ...all.flatMap((command) => command.examples.map(([line]) => ({ name: command.name, line }))),
      ...readSources(/^(?:README|docs\/guide\/.*)\.md$/).flatMap(({ path, text }) =>
        documentedLines(text).map((line) => ({ name: path, line })),
      ),
    ];
    const unread = examples.flatMap(({ name, line }) => {
      try {
        readExample(all, line);
        return [];
      } catch (error) {
        return [`${name}: ${line}: ${(error as Error).message}`];
      }
    });
    const unshown = listed().flatMap(({ tool }) => (tool.examples ? [] : [tool.name]));
    expect({ undescribed, unread, unshown }).toEqual({ undescribed: [], unread: [], unshown: [] });
  });

  it('is what the reference pages say', async () => {
    pinFile('docs/reference/tools.md', renderToolPage(listed()));
    pinFile('docs/reference/settings.md', renderSettingsPage());
    pinFile('docs/reference/errors.md', renderErrorPage());
    pinFile('docs/reference/cli.md', await renderCliPage(listed()));
    const toolCommands = listed().map(({ tool }) => describeToolCommand(tool));
    pinFile('man/lore.1', renderManPage(await loadCommands(), toolCommands));
  });

  it('is what the README says', () => {
    pinSection('README.md', 'tools', renderToolTable(listed()));
  });
});
