// Measures of the gateway; README.md describes them.
const measures = {
  overhead: async () => (await import('./overhead.mjs')).measureOverhead(),
  poison: async (...folders) => (await import('./poison.mjs')).measurePoison(...folders),
  life: async () => (await import('./life.mjs')).measureLife(),
  learn: async () => (await import('./learn.mjs')).measureLearning(),
};

const [name = 'overhead', ...rest] = process.argv.slice(2);
if (!Object.hasOwn(measures, name))
  throw new Error(`Unknown measure "${name}": expected ${Object.keys(measures).join(', ')}`);
await measures[name](...rest);
