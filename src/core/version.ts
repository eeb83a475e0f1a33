// The package's own version; package.json is its only declaration.
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;
