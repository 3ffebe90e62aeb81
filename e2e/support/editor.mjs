import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium, selectors } from 'playwright-core';
import { ROOT } from '../../sandbox/n8n/folders.mjs';
import { CHROMIUM } from './debian.mjs';

const ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];
// n8n's spelling of the attribute that getByTestId looks for.
selectors.setTestIdAttribute('data-test-id');

/** n8n takes a headless browser for a program that previews links, whose clicks do not count. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
/** A large canvas takes long on a busy machine. */
const WITHIN_MS = 180_000;
const SIZE = { width: 1600, height: 1000 };

/**
 * Screenshots go here, a folder for each theme. It is not in git, and hidden: n8n's build copies the
 * pictures of every other folder into dist/.
 */
export const PICTURES = process.env.E2E_PICTURES || path.join(ROOT, '.pictures');

/**
 * n8n's editor in a headless browser, signed in: `{ page, openWorkflow, openNode, closeNode,
 * clearRun, seePreview, openCredential, picture, close }`. `theme` is light or dark.
 */
export async function openEditor({ url, owner, theme = 'light', view = { viewport: SIZE } }) {
	const { browser, page } = await openBrowser({ ...view, colorScheme: theme });
	try {
		// n8n's own setting, which counts before the system's.
		await page.addInitScript((name) => localStorage.setItem('N8N_THEME', name), theme);
		await signIn(page, url, owner);
		return { page, ...actions(page, { url, theme }), close: async () => await browser.close() };
	} catch (error) {
		await browser.close();
		throw error;
	}
}

export async function openBrowser(view) {
	const launch = { executablePath: CHROMIUM, args: ARGUMENTS, timeout: WITHIN_MS };
	const browser = await chromium.launch(launch);
	const page = await browser.newPage({ ...view, userAgent: BROWSER });
	page.setDefaultTimeout(WITHIN_MS);
	return { browser, page };
}

function actions(page, { url, theme }) {
	/** The canvas of a workflow, with all its nodes drawn. */
	async function openWorkflow(id) {
		await page.goto(`${url}/workflow/${id}`);
		await page.getByTestId('canvas-node').first().waitFor();
		// The canvas fades in and the icons come after it.
		await page.waitForFunction(() => {
			const icons = [...document.querySelectorAll('[data-test-id="canvas-node"] img')];
			return icons.length > 0 && icons.every((icon) => icon.complete && icon.naturalWidth > 0);
		});
		await page.waitForLoadState('networkidle');
	}

	/** Opens a node's panel by the node's name and returns the part with its parameters. */
	async function openNode(name) {
		const node = page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
		await node.getByTestId('canvas-default-node').dblclick();
		const panel = page.getByTestId('node-parameters').first();
		await panel.waitFor();
		// Its lists come from n8n; until then each says so in the place of what was chosen.
		await page.waitForFunction(() => {
			const [form] = document.querySelectorAll('[data-test-id="node-parameters"]');
			const inputs = [...form.querySelectorAll('input')];
			const words = [form.innerText, ...inputs.flatMap((one) => [one.value, one.placeholder])];
			return !words.some((text) => text.includes('Loading options'));
		});
		return panel;
	}

	async function closeNode() {
		await page.keyboard.press('Escape');
		await page.getByTestId('node-parameters').first().waitFor({ state: 'hidden' });
	}

	/** Forgets the last run, as soon as it has ended: a node's panel shows its result before that. */
	async function clearRun() {
		const clear = page.getByTestId('clear-execution-data-button');
		await clear.click();
		await clear.waitFor({ state: 'hidden' });
	}

	/** Waits until an open node's input shows these fields of a node before it that never ran. */
	async function seePreview(nodeBefore, fields) {
		const header = page.getByTestId('run-data-schema-header').filter({ hasText: nodeBefore });
		await header.getByText('Preview').waitFor();
		const names = page.getByTestId('run-data-schema-node-name');
		for (const field of fields) await names.getByText(field, { exact: true }).first().waitFor();
	}

	async function openCredential(id) {
		await page.goto(`${url}/home/credentials/${id}`);
		const dialog = page.getByTestId('editCredential-modal');
		await dialog.waitFor();
		return dialog;
	}

	/** Writes `<PICTURES>/<theme>/<name>.png` and returns its path. */
	async function picture(name, locator = page) {
		const file = path.join(PICTURES, theme, `${name}.png`);
		await mkdir(path.dirname(file), { recursive: true });
		await locator.screenshot({ path: file, animations: 'disabled' });
		return file;
	}

	return { openWorkflow, openNode, closeNode, clearRun, seePreview, openCredential, picture };
}

async function signIn(page, url, { email, password }) {
	await page.goto(`${url}/signin`);
	await page.locator('input[name="emailOrLdapLoginId"]').fill(email);
	await page.locator('input[name="password"]').fill(password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL(/\/(home|workflow)/);
}
