// Gemini CLI, and Qwen Code, which grew out of it and keeps the same settings in another folder.
import { findInSuccess } from './bench.mjs';

export const gemini = {
  id: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  bin: 'gemini',
  async check(bench) {
    await checkList(bench, '.gemini');
    for (const transport of bench.transports) {
      for (const { tool, input, expect, ...wanted } of bench.callsOver(transport)) {
        const model = { vendor: 'gemini', pattern: `^mcp_x_${tool}$`, input };
        await bench.checkCall(transport, { ...wanted, model }, async ({ command: start, url }, base) => {
          writeSettings(bench, '.gemini', { x: describeServer(transport, url ?? start) });
          const env = { ...TRUST, GOOGLE_GEMINI_BASE_URL: base, GEMINI_API_KEY: 'dummy' };
          const end = await bench.run(['-p', 'call it'], { env });
          return findInSuccess(end, new RegExp(`TOOL RESULT: .*${expect}.*`));
        });
      }
    }
  },
};

export const qwen = {
  id: 'qwen',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  bin: 'qwen',
  check: (bench) => checkList(bench, '.qwen'),
};

const TRUST = { GEMINI_CLI_TRUST_WORKSPACE: 'true' };

async function checkList(bench, folder) {
  const servers = bench.transports.map((name) => [name, describeServer(name, bench.server[name])]);
  writeSettings(bench, folder, Object.fromEntries(servers));
  const listed = await bench.run(['mcp', 'list'], { env: TRUST });
  for (const transport of bench.transports) {
    await bench.check(transport, 'connect', () =>
      findInSuccess(listed, new RegExp(`^.*\\b${transport}: .*- Connected`, 'm')),
    );
  }
}

function describeServer(transport, address) {
  if (transport === 'stdio') return { command: address[0], args: address.slice(1), trust: true };
  return { type: transport, ...(transport === 'sse' ? { url: address } : { httpUrl: address }), trust: true };
}

function writeSettings(bench, folder, mcpServers) {
  bench.writeConfig(`${folder}/settings.json`, {
    mcpServers,
    security: { auth: { selectedType: 'gemini-api-key' } },
    telemetry: { enabled: false },
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, disableAutoUpdate: true },
  });
}
