// Calls one function for the forge: arguments on stdin, the result on file descriptor 3.
import { readFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [file, name, ...parameters] = process.argv.slice(2);
let answer;
try {
  const given = JSON.parse(readFileSync(0, 'utf8'));
  const loaded = await import(pathToFileURL(file).href);
  const called = loaded[name] ?? loaded.default?.[name];
  answer = { result: (await called(...parameters.map((one) => given[one]))) ?? null };
} catch (error) {
  answer = { error: String(error?.name), message: String(error?.message).slice(0, 2000) };
}
const bytes = Buffer.from(JSON.stringify(answer));
for (let at = 0; at < bytes.length; ) {
  try {
    at += writeSync(3, bytes, at);
  } catch (error) {
    if (error.code !== 'EAGAIN') throw error;
  }
}
process.exit();
