// A real Chromium for the tests of the dashboard, if there is one: LORE_CHROMIUM, or an installed one. None is downloaded.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

function findBrowser(): string | undefined {
  const given = process.env.LORE_CHROMIUM;
  if (given !== undefined) return given;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const browserPath = findBrowser();

if (browserPath === undefined) {
  process.stderr.write('SKIPPED: the tests of the dashboard need Chromium; set LORE_CHROMIUM to its path\n');
}

let running: Promise<Browser> | undefined;

export function launchBrowser(): Promise<Browser> {
  running ??= chromium.launch({ executablePath: browserPath as string, args: ['--no-sandbox', '--disable-gpu'] });
  return running;
}

export async function closeBrowser(): Promise<void> {
  await (await running)?.close();
  running = undefined;
}

export interface WatchedPage {
  page: Page;
  /** Errors, dialogs and violations of the policy. */
  problems: string[];
}

/** A view that has all its data. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForSelector('h1, .detail .head', { state: 'attached' });
  // Its calls begin in the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  await page.waitForSelector('main[aria-busy="false"]');
}

/** A page in a context of its own, which reports what must not happen. */
export async function openPage(url: string): Promise<WatchedPage> {
  const context = await (await launchBrowser()).newContext();
  onTestFinished(() => context.close());
  context.setDefaultTimeout(120_000);
  const problems: string[] = [];
  context.on('page', (page) => {
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== new URL(url).origin) problems.push(`request: ${request.url()}`);
    });
  });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('main');
  return { page, problems };
}
