// Measures of the gateway: `overhead` of a call, and `poison`, the recall of suspicious descriptions on a public set.

const [what = 'overhead', ...rest] = process.argv.slice(2);
if (what === 'overhead') await (await import('./overhead.mjs')).measureOverhead();
else if (what === 'poison') await (await import('./poison.mjs')).measurePoison(...rest);
else throw new Error(`Unknown measure "${what}": expected overhead or poison`);
